// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/icon.hpp"

#include "controller/ui/draw/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace submix::ui {
namespace {

constexpr float kIconShare = 0.72F;  // of the font's size
constexpr float kGapShare = 0.4F;
constexpr float kRoomShare = 0.94F;  // of the button, for icon and words

/// A square with an icon in it.
struct IconPlace {
  ImDrawList* draw;
  ImVec2 corner;
  float size;
  ImU32 paint;

  [[nodiscard]] ImVec2 at(float x, float y) const {
    return {corner.x + x * size, corner.y + y * size};
  }
  void bar(ImVec2 from, ImVec2 to) const {
    draw->AddRectFilled(at(from.x, from.y), at(to.x, to.y), paint);
  }
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const {
    draw->AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), paint);
  }
};

void draw_step(const IconPlace& place) {
  place.triangle({0.0F, 0.0F}, {0.7F, 0.5F}, {0.0F, 1.0F});
  place.bar({0.74F, 0.0F}, {0.96F, 1.0F});
}

// The corners of a screen.
void draw_full_screen(const IconPlace& place) {
  constexpr float kThick = 0.16F;
  constexpr float kLong = 0.36F;
  for (const float x : {0.0F, 1 - kLong}) {
    place.bar({x, 0.0F}, {x + kLong, kThick});
    place.bar({x, 1 - kThick}, {x + kLong, 1.0F});
  }
  for (const float y : {0.0F, 1 - kLong}) {
    place.bar({0.0F, y}, {kThick, y + kLong});
    place.bar({1 - kThick, y}, {1.0F, y + kLong});
  }
}

// An arrow that turns back; `is_forward`: mirrored.
void draw_turn(const IconPlace& place, bool is_forward) {
  const auto side = [&](float x) { return is_forward ? 1 - x : x; };
  const float quarter = 1.5708F;
  const float begin = is_forward ? 2 * quarter : -2 * quarter;
  const auto center = place.at(0.5F, 0.62F);
  place.draw->PathArcTo(center, place.size * 0.38F, begin + (is_forward ? 0.35F : 0.0F),
                        begin + 2 * quarter + (is_forward ? 0.0F : -0.35F), 14);
  place.draw->PathStroke(place.paint, ImDrawFlags_None, std::max(1.5F, place.size * 0.15F));
  const float tip = side(0.12F);
  place.triangle({tip, 0.98F}, {side(-0.18F), 0.56F}, {side(0.42F), 0.56F});
}

void draw_icon(Icon icon, const IconPlace& place) {
  switch (icon) {
    case Icon::play:
      return place.triangle({0.1F, 0.0F}, {0.98F, 0.5F}, {0.1F, 1.0F});
    case Icon::pause:
      place.bar({0.1F, 0.0F}, {0.38F, 1.0F});
      return place.bar({0.62F, 0.0F}, {0.9F, 1.0F});
    case Icon::step:
      return draw_step(place);
    case Icon::full_screen:
      return draw_full_screen(place);
    case Icon::undo:
      return draw_turn(place, false);
    case Icon::redo:
      return draw_turn(place, true);
  }
}

}  // namespace

void label_with_icon(Icon icon, std::string_view words, ImU32 paint) {
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  const float font = ImGui::GetFontSize();
  const float size = std::round(font * kIconShare);
  const float beside = size + std::round(font * kGapShare);
  const float width = width_of(words);
  const bool has_room = beside + width <= (high.x - low.x) * kRoomShare;
  const float left = std::round((low.x + high.x - width - (has_room ? beside : 0)) / 2);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddText(ImVec2(left + (has_room ? beside : 0), std::round((low.y + high.y - font) / 2)),
                paint, std::to_address(words.begin()), std::to_address(words.end()));
  if (!has_room) return;

  const auto flags = draw->Flags;
  draw->Flags |= ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AntiAliasedLines;
  draw_icon(icon, {draw, {left, std::round((low.y + high.y - size) / 2)}, size, paint});
  draw->Flags = flags;
}

}  // namespace submix::ui
