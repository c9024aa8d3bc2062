// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw_renderer.hpp"

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

SDL_Texture* texture_of(const ImDrawCmd& command) {
  return reinterpret_cast<SDL_Texture*>(command.GetTexID());
}

void draw_command(SDL_Renderer* renderer, const ImDrawList& list, const ImDrawCmd& command) {
  const auto* first = list.VtxBuffer.Data + command.VtxOffset;
  const auto* indices = list.IdxBuffer.Data + command.IdxOffset;
  const auto vertices = list.VtxBuffer.Size - static_cast<int>(command.VtxOffset);
  SDL_RenderGeometryRaw(renderer, texture_of(command), &first->pos.x, sizeof(ImDrawVert),
                        reinterpret_cast<const SDL_Color*>(&first->col), sizeof(ImDrawVert), &first->uv.x,
                        sizeof(ImDrawVert), vertices, indices, static_cast<int>(command.ElemCount),
                        sizeof(ImDrawIdx));
}

}  // namespace

DrawRenderer::~DrawRenderer() {
  if (fonts_ != nullptr) SDL_DestroyTexture(fonts_);
}

bool DrawRenderer::upload_fonts() {
  if (fonts_ != nullptr) SDL_DestroyTexture(fonts_);
  auto& atlas = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  fonts_ = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_ABGR8888, SDL_TEXTUREACCESS_STATIC, width, height);
  if (fonts_ == nullptr) return false;
  SDL_UpdateTexture(fonts_, nullptr, pixels, 4 * width);
  SDL_SetTextureBlendMode(fonts_, SDL_BLENDMODE_BLEND);
  SDL_SetTextureScaleMode(fonts_, SDL_ScaleModeLinear);
  atlas.SetTexID(reinterpret_cast<ImTextureID>(fonts_));
  return true;
}

void DrawRenderer::draw(const ImDrawData& data) {
  for (int i = 0; i < data.CmdListsCount; ++i)
    draw_list(*data.CmdLists[i], data);
  SDL_RenderSetClipRect(renderer_, nullptr);
}

void DrawRenderer::draw_list(const ImDrawList& list, const ImDrawData& data) {
  const int width = static_cast<int>(data.DisplaySize.x);
  const int height = static_cast<int>(data.DisplaySize.y);
  for (const auto& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;  // nothing in this program asks for one
    const auto clip = to_rect(command.ClipRect, data.DisplayPos, width, height);
    if (clip.w <= 0 || clip.h <= 0) continue;
    SDL_RenderSetClipRect(renderer_, &clip);
    draw_command(renderer_, list, command);
  }
}

}  // namespace submix::ui
