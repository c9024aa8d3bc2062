// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/color_scheme.hpp"
#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/raster/tile_raster.hpp"

#include <SDL.h>

#include <vector>

namespace submix::ui {
namespace {

/// A picture that owns its pixels.
struct Picture {
  raster::Texture texture;
  std::vector<std::uint32_t> pixels;
};

struct FreeSurface {
  void operator()(SDL_Surface* surface) const { SDL_FreeSurface(surface); }
};

/// Draws without SDL's renderer, which would draw and send the whole window for each frame.
/// TileRaster draws only the changed parts, and only these are sent to the screen.
class ProcessorDrawing final : public Drawing {
 public:
  explicit ProcessorDrawing(SDL_Window* window) : window_(window) {}

  [[nodiscard]] Result<void> upload_fonts() override {
    auto& atlas = *ImGui::GetIO().Fonts;
    unsigned char* alpha = nullptr;
    atlas.GetTexDataAsAlpha8(&alpha, &fonts_.size.width, &fonts_.size.height);
    fonts_.alpha = alpha;
    fonts_.key = ++newest_key_;
    atlas.SetTexID(&fonts_);
    return {};
  }

  [[nodiscard]] ImTextureID make_picture(Size size) override {
    auto picture = std::make_unique<Picture>();
    picture->pixels.resize(size.pixels());
    picture->texture.size = size;
    picture->texture.pixels = picture->pixels.data();
    pictures_.push_back(std::move(picture));
    return &pictures_.back()->texture;
  }
  void set_picture(ImTextureID id, std::span<const std::uint8_t> rgba) override {
    for (auto& picture : pictures_) {
      if (&picture->texture != id) continue;
      for (std::size_t i = 0; i < picture->pixels.size(); ++i) {
        const auto* from = rgba.data() + 4 * i;
        picture->pixels[i] = static_cast<std::uint32_t>(from[0] << 16 | from[1] << 8 | from[2]);
      }
      picture->texture.key = ++newest_key_;
    }
  }
  void free_picture(ImTextureID id) override {
    std::erase_if(pictures_, [id](const auto& picture) { return &picture->texture == id; });
  }

  void show(const ImDrawData& data) override {
    auto* screen = SDL_GetWindowSurface(window_);  // the surface changes with the window's size
    if (screen == nullptr) return;
    fit({screen->w, screen->h});
    rectangles_.clear();
    for (const auto& box : raster_.draw(data, color::kBackground)) {
      SDL_Rect from{box.left, box.top, box.width(), box.height()};
      SDL_Rect to = from;
      SDL_BlitSurface(canvas_.get(), &from, screen, &to);
      rectangles_.push_back(from);
    }
    if (!rectangles_.empty())
      SDL_UpdateWindowSurfaceRects(window_, rectangles_.data(),
                                   static_cast<int>(rectangles_.size()));
  }
  void forget() override { raster_.forget(); }

  [[nodiscard]] Result<media::Rgb24Image> screenshot(const ImDrawData& data) override {
    show(data);
    media::Rgb24Image image{raster_.size(), {}};
    image.pixels.reserve(image.size.pixels() * 3);
    const auto canvas = raster_.canvas();
    for (std::size_t i = 0; i < image.size.pixels(); ++i) {
      for (const int shift : {16, 8, 0})
        image.pixels.push_back(static_cast<std::uint8_t>(canvas.pixels[i] >> shift));
    }
    return image;
  }

 private:
  void fit(Size size) {
    if (size == raster_.size()) return;
    raster_.resize(size);
    canvas_.reset(SDL_CreateRGBSurfaceWithFormatFrom(raster_.canvas().pixels, size.width,
                                                     size.height, 32, size.width * 4,
                                                     SDL_PIXELFORMAT_RGB888));
  }

  SDL_Window* window_;
  raster::TileRaster raster_;
  std::unique_ptr<SDL_Surface, FreeSurface> canvas_;  // the raster's pixels as an SDL surface
  std::vector<SDL_Rect> rectangles_;
  raster::Texture fonts_;
  std::vector<std::unique_ptr<Picture>> pictures_;
  std::uint64_t newest_key_ = 0;
};

}  // namespace

std::unique_ptr<Drawing> draw_on_processor(SDL_Window* window) {
  if (SDL_GetWindowSurface(window) == nullptr) return nullptr;
  return std::make_unique<ProcessorDrawing>(window);
}

}  // namespace submix::ui
