// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the pixels with SDL's software renderer, which draws the same triangles by another
// algorithm.
#include "controller/ui/draw/raster/tile_raster.hpp"

#include "controller/ui/draw/theme.hpp"

#include <SDL.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace submix::ui::raster {
namespace {

constexpr Size kSize{800, 600};
constexpr ImU32 kGround = IM_COL32(16, 18, 22, 255);

struct FreeSurface {
  void operator()(SDL_Surface* surface) const { SDL_FreeSurface(surface); }
};
struct FreeRenderer {
  void operator()(SDL_Renderer* renderer) const { SDL_DestroyRenderer(renderer); }
};

class RasterTest : public ::testing::TestWithParam<std::pair<Theme, float>> {
 protected:
  RasterTest() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    ImGui::GetIO().DisplaySize =
        ImVec2(static_cast<float>(kSize.width), static_cast<float>(kSize.height));
    raster_.resize(kSize);
  }
  ~RasterTest() override { ImGui::DestroyContext(); }

  void set_look(Theme theme, float scale) {
    static_cast<void>(load_fonts(scale));
    apply_theme({theme, scale, true});
    unsigned char* alpha = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&alpha, &fonts_.size.width, &fonts_.size.height);
    fonts_.alpha = alpha;
    fonts_.key = 1;
    ImGui::GetIO().Fonts->SetTexID(&fonts_);
  }
  /// The draw data of `draw` in a window that fills the screen.
  const ImDrawData& frame(const std::function<void(ImDrawList&)>& draw) {
    ImGui::GetIO().DeltaTime = 0.1F;
    ImGui::NewFrame();
    draw(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    return *ImGui::GetDrawData();
  }
  [[nodiscard]] std::uint32_t pixel(int x, int y) { return raster_.canvas().row(y)[x] & 0xFFFFFF; }

  TileRaster raster_;
  Texture fonts_;
};

/// SDL's picture of the same triangles.
std::vector<std::uint32_t> drawn_by_sdl(const ImDrawData& data) {
  const std::unique_ptr<SDL_Surface, FreeSurface> surface(
      SDL_CreateRGBSurfaceWithFormat(0, kSize.width, kSize.height, 32, SDL_PIXELFORMAT_RGB888));
  const std::unique_ptr<SDL_Renderer, FreeRenderer> renderer(
      SDL_CreateSoftwareRenderer(surface.get()));
  unsigned char* rgba = nullptr;
  int width = 0;
  int height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&rgba, &width, &height);
  auto* fonts = SDL_CreateTexture(renderer.get(), SDL_PIXELFORMAT_ABGR8888,
                                  SDL_TEXTUREACCESS_STATIC, width, height);
  SDL_UpdateTexture(fonts, nullptr, rgba, 4 * width);
  SDL_SetTextureBlendMode(fonts, SDL_BLENDMODE_BLEND);
  SDL_SetRenderDrawColor(renderer.get(), 16, 18, 22, 255);
  SDL_RenderClear(renderer.get());
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const auto& list = *data.CmdLists[i];
    for (const auto& command : list.CmdBuffer) {
      const SDL_Rect clip{
          static_cast<int>(command.ClipRect.x), static_cast<int>(command.ClipRect.y),
          static_cast<int>(command.ClipRect.z) - static_cast<int>(command.ClipRect.x),
          static_cast<int>(command.ClipRect.w) - static_cast<int>(command.ClipRect.y)};
      SDL_RenderSetClipRect(renderer.get(), &clip);
      const auto* first = list.VtxBuffer.Data + command.VtxOffset;
      SDL_RenderGeometryRaw(renderer.get(), fonts, &first->pos.x, sizeof(ImDrawVert),
                            reinterpret_cast<const SDL_Color*>(&first->col), sizeof(ImDrawVert),
                            &first->uv.x, sizeof(ImDrawVert),
                            list.VtxBuffer.Size - static_cast<int>(command.VtxOffset),
                            list.IdxBuffer.Data + command.IdxOffset,
                            static_cast<int>(command.ElemCount), sizeof(ImDrawIdx));
    }
  }
  SDL_RenderFlush(renderer.get());
  const auto* pixels = static_cast<const std::uint32_t*>(surface->pixels);
  std::vector<std::uint32_t> copy(pixels, pixels + kSize.pixels());
  SDL_DestroyTexture(fonts);
  return copy;
}

std::size_t count_different(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += static_cast<std::size_t>(((a[i] ^ b[i]) & 0xFFFFFF) != 0);
  return count;
}

void draw_panels(ImDrawList& list) {
  list.AddRectFilled(ImVec2(10, 10), ImVec2(700, 500), color::kPanel);
  list.AddRectFilled(ImVec2(40.6F, 50.3F), ImVec2(300.2F, 90.9F), IM_COL32(86, 166, 255, 77));
  list.AddRectFilled(ImVec2(60, 200.5F), ImVec2(300, 200.7F), color::kBorder);
  list.AddText(ImVec2(50, 60), color::kText,
               "mix waits for left: link 2 of 2 is at 10 % of its speed");
  list.AddText(ImVec2(50, 100), IM_COL32(86, 166, 255, 130),
               "Frames in hand and queued \u2192 21.4 ms");
  list.PushClipRect(ImVec2(50, 120), ImVec2(130, 133));
  list.AddText(ImVec2(50, 121), color::kWarning, "cut off on the right and below");
  list.PopClipRect();
  for (int i = 0; i < 60; ++i)
    list.AddRectFilled(ImVec2(static_cast<float>(60 + i * 2), 240),
                       ImVec2(static_cast<float>(62 + i * 2), 300), IM_COL32(77, 196, 144, i * 4));
}

TEST_P(RasterTest, DrawsTextAndRectanglesAsSdlDoesPixelForPixel) {
  set_look(GetParam().first, GetParam().second);
  const auto& data = frame(draw_panels);
  static_cast<void>(raster_.draw(data, kGround));
  const std::span<const std::uint32_t> own(raster_.canvas().pixels, kSize.pixels());
  EXPECT_EQ(count_different(own, drawn_by_sdl(data)), 0U);
}

INSTANTIATE_TEST_SUITE_P(Looks, RasterTest,
                         ::testing::Values(std::pair(Theme::dark, 1.0F),
                                           std::pair(Theme::light, 1.0F),
                                           std::pair(Theme::dark, 0.75F),
                                           std::pair(Theme::dark, 1.5F),
                                           std::pair(Theme::light, 3.0F)));

class TileRasterTest : public RasterTest {};

TEST_F(TileRasterTest, PaintsNothingOfAFrameLikeTheOneBefore) {
  set_look(Theme::dark, 1);
  EXPECT_FALSE(raster_.draw(frame(draw_panels), kGround).empty());
  EXPECT_TRUE(raster_.draw(frame(draw_panels), kGround).empty());
}

TEST_F(TileRasterTest, PaintsOnlyTheTilesThatHaveChanged) {
  set_look(Theme::dark, 1);
  static_cast<void>(raster_.draw(frame(draw_panels), kGround));
  const auto changed =
      raster_.draw(frame([](ImDrawList& list) {
                     draw_panels(list);
                     list.AddRectFilled(ImVec2(70, 70), ImVec2(130, 80), color::kBad);
                   }),
                   kGround);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0], (Box{64, 64, 192, 96}));  // two neighbouring tiles
  EXPECT_EQ(pixel(100, 75), 0xFA8078U);
}

// A frame after another frame must look as if it were alone: the checksums miss nothing.
TEST_F(TileRasterTest, LeavesNothingBehindOfFormerFrames) {
  set_look(Theme::dark, 1);
  std::srand(7);
  const auto random = [](int below) { return static_cast<float>(std::rand() % below); };
  std::vector<std::array<float, 6>> shapes(40);
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 3; ++i) {
      auto& shape = shapes[static_cast<std::size_t>(std::rand()) % shapes.size()];
      shape = {random(800), random(600), random(300), random(200), random(4), random(256)};
    }
    const auto draw = [&](ImDrawList& list) {
      for (const auto& [x, y, width, height, kind, shade] : shapes) {
        const auto color = IM_COL32(static_cast<int>(shade), 120, 200, kind == 0 ? 255 : 90);
        if (kind < 2) list.AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), color);
        if (kind == 2) list.AddLine(ImVec2(x, y), ImVec2(x + width, y + height), color, 2);
        if (kind == 3) list.AddText(ImVec2(x, y), color, "glass");
      }
    };
    const auto& data = frame(draw);
    static_cast<void>(raster_.draw(data, kGround));
    TileRaster fresh;
    fresh.resize(kSize);
    static_cast<void>(fresh.draw(data, kGround));
    const std::span<const std::uint32_t> own(raster_.canvas().pixels, kSize.pixels());
    ASSERT_EQ(count_different(own, {fresh.canvas().pixels, kSize.pixels()}), 0U)
        << "round " << round;
  }
}

TEST_F(TileRasterTest, SeesThatAPicturesPixelsHaveChanged) {
  set_look(Theme::dark, 1);
  std::vector<std::uint32_t> pixels(16, 0x112233);
  Texture picture{{4, 4}, nullptr, pixels.data(), 2};
  const auto draw = [&](ImDrawList& list) {
    list.AddImage(&picture, ImVec2(100, 100), ImVec2(180, 180));
  };
  static_cast<void>(raster_.draw(frame(draw), kGround));
  EXPECT_EQ(pixel(140, 140), 0x112233U);
  pixels.assign(16, 0x445566);
  picture.key = 3;
  EXPECT_FALSE(raster_.draw(frame(draw), kGround).empty());
  EXPECT_EQ(pixel(140, 140), 0x445566U);
  EXPECT_EQ(pixel(99, 140), 0x101216U);
}

// Two triangles share an edge, and each pixel belongs to one of them. So transparent shapes have no
// line with double opacity.
TEST_F(TileRasterTest, PaintsEachPixelOfACurvesTrianglesOnce) {
  set_look(Theme::dark, 1);
  const auto& data = frame([](ImDrawList& list) {
    list.AddQuadFilled(ImVec2(100, 103), ImVec2(400, 150), ImVec2(430, 330), ImVec2(90, 300),
                       IM_COL32(255, 255, 255, 128));
  });
  static_cast<void>(raster_.draw(data, IM_COL32(0, 0, 0, 255)));
  std::size_t inside = 0;
  for (int y = 0; y < kSize.height; ++y) {
    for (int x = 0; x < kSize.width; ++x) {
      const auto shown = pixel(x, y);
      EXPECT_TRUE(shown == 0 || shown == 0x808080) << shown;
      inside += static_cast<std::size_t>(shown != 0);
    }
  }
  EXPECT_NEAR(static_cast<double>(inside), 59935, 10);  // the quadrilateral's area
}

TEST_F(TileRasterTest, SurvivesCornersThatAreNowhere) {
  set_look(Theme::dark, 1);
  const float nan = std::nanf("");
  const auto& data = frame([nan](ImDrawList& list) {
    list.AddTriangleFilled(ImVec2(-1e30F, 10), ImVec2(1e30F, 20), ImVec2(100, 1e30F), color::kGood);
    list.AddTriangleFilled(ImVec2(nan, 10), ImVec2(10, nan), ImVec2(100, 100), color::kGood);
    list.AddRectFilled(ImVec2(-1e30F, 100), ImVec2(1e30F, 110), color::kBad);
  });
  static_cast<void>(raster_.draw(data, kGround));
  EXPECT_EQ(pixel(400, 105), 0xFA8078U);
}

}  // namespace
}  // namespace submix::ui::raster
