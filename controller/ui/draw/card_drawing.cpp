// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/color_scheme.hpp"
#include "controller/ui/draw/drawing.hpp"

#include <SDL.h>

#include <algorithm>

namespace submix::ui {
namespace {

SDL_Rect to_rect(const ImVec4& clip, const ImVec2& origin, int width, int height) {
  const int left = std::max(0, static_cast<int>(clip.x - origin.x));
  const int top = std::max(0, static_cast<int>(clip.y - origin.y));
  const int right = std::min(width, static_cast<int>(clip.z - origin.x));
  const int bottom = std::min(height, static_cast<int>(clip.w - origin.y));
  return {left, top, right - left, bottom - top};
}

SDL_Texture* texture_of(ImTextureID id) {
  return static_cast<SDL_Texture*>(id);
}

void draw_command(SDL_Renderer* renderer, const ImDrawList& list, const ImDrawCmd& command) {
  const auto* first = list.VtxBuffer.Data + command.VtxOffset;
  const auto* indices = list.IdxBuffer.Data + command.IdxOffset;
  const auto vertices = list.VtxBuffer.Size - static_cast<int>(command.VtxOffset);
  SDL_RenderGeometryRaw(renderer, texture_of(command.GetTexID()), &first->pos.x, sizeof(ImDrawVert),
                        reinterpret_cast<const SDL_Color*>(&first->col), sizeof(ImDrawVert),
                        &first->uv.x, sizeof(ImDrawVert), vertices, indices,
                        static_cast<int>(command.ElemCount), sizeof(ImDrawIdx));
}

void draw_list(SDL_Renderer* renderer, const ImDrawList& list, const ImDrawData& data) {
  const int width = static_cast<int>(data.DisplaySize.x);
  const int height = static_cast<int>(data.DisplaySize.y);
  for (const auto& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;  // this program makes no callbacks
    const auto clip = to_rect(command.ClipRect, data.DisplayPos, width, height);
    if (clip.w <= 0 || clip.h <= 0) continue;
    SDL_RenderSetClipRect(renderer, &clip);
    draw_command(renderer, list, command);
  }
}

/// Draws with SDL's renderer, which uses the graphics card. Debian's libimgui.a has no back end for
/// it, so this is our own.
class CardDrawing final : public Drawing {
 public:
  explicit CardDrawing(SDL_Renderer* renderer) : renderer_(renderer) {}
  ~CardDrawing() override {
    if (fonts_ != nullptr) SDL_DestroyTexture(fonts_);
    SDL_DestroyRenderer(renderer_);
  }
  CardDrawing(const CardDrawing&) = delete;
  CardDrawing& operator=(const CardDrawing&) = delete;

  [[nodiscard]] Result<void> upload_fonts() override {
    if (fonts_ != nullptr) SDL_DestroyTexture(fonts_);
    auto& atlas = *ImGui::GetIO().Fonts;
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    fonts_ = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STATIC, width,
                               height);
    if (fonts_ == nullptr) return fail("the fonts' texture cannot be made: {}", SDL_GetError());
    SDL_UpdateTexture(fonts_, nullptr, pixels, 4 * width);
    SDL_SetTextureBlendMode(fonts_, SDL_BLENDMODE_BLEND);
    SDL_SetTextureScaleMode(fonts_, SDL_ScaleModeLinear);
    atlas.SetTexID(static_cast<ImTextureID>(fonts_));
    return {};
  }

  [[nodiscard]] ImTextureID make_picture(Size size) override {
    auto* texture = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_ABGR8888,
                                      SDL_TEXTUREACCESS_STREAMING, size.width, size.height);
    if (texture != nullptr) SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    return static_cast<ImTextureID>(texture);
  }
  void set_picture(ImTextureID picture, std::span<const std::uint8_t> rgba) override {
    int width = 0;
    SDL_QueryTexture(texture_of(picture), nullptr, nullptr, &width, nullptr);
    SDL_UpdateTexture(texture_of(picture), nullptr, rgba.data(), width * 4);
  }
  void free_picture(ImTextureID picture) override { SDL_DestroyTexture(texture_of(picture)); }

  void show(const ImDrawData& data) override {
    draw(data);
    SDL_RenderPresent(renderer_);
  }
  [[nodiscard]] Result<media::Rgb24Image> screenshot(const ImDrawData& data) override {
    media::Rgb24Image image;
    SDL_GetRendererOutputSize(renderer_, &image.size.width, &image.size.height);
    image.pixels.resize(image.size.pixels() * 3);
    draw(data);  // the back buffer may have lost the presented picture
    if (SDL_RenderReadPixels(renderer_, nullptr, SDL_PIXELFORMAT_RGB24, image.pixels.data(),
                             image.size.width * 3) != 0) {
      return fail("the window's pixels cannot be read: {}", SDL_GetError());
    }
    return image;
  }

 private:
  void draw(const ImDrawData& data) {
    const auto channel = [](int shift) {
      return static_cast<Uint8>((color::kBackground >> shift) & 0xFF);
    };
    SDL_SetRenderDrawColor(renderer_, channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT),
                           channel(IM_COL32_B_SHIFT), 255);
    SDL_RenderClear(renderer_);
    for (int i = 0; i < data.CmdListsCount; ++i)
      draw_list(renderer_, *data.CmdLists[i], data);
    SDL_RenderSetClipRect(renderer_, nullptr);
  }

  SDL_Renderer* renderer_;
  SDL_Texture* fonts_ = nullptr;
};

}  // namespace

std::unique_ptr<Drawing> draw_on_card(SDL_Window* window, bool waits_for_screen) {
  const auto wait = waits_for_screen ? Uint32{SDL_RENDERER_PRESENTVSYNC} : Uint32{0};
  auto* renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED | wait);
  return renderer == nullptr ? nullptr : std::make_unique<CardDrawing>(renderer);
}

}  // namespace submix::ui
