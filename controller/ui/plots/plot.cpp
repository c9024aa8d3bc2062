// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/widgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

// A value for each column of pixels, the newest at the right. Missing samples count as 0.
std::span<const float> columns_of(const Plot& plot, std::span<float> values) {
  const auto columns = values.size();
  std::ranges::fill(values, 0.0F);
  const auto shown = std::max<std::size_t>(plot.samples_shown, 1);
  for (std::size_t age = 0; age < std::min(shown, plot.samples.size()); ++age) {
    const auto column = columns - 1 - age * columns / shown;
    values[column] = std::max(values[column], plot.samples[plot.samples.size() - 1 - age]);
  }
  return values;
}

}  // namespace

void plot(const Plot& plot, ImVec2 size) {
  const auto origin = ImGui::GetCursorScreenPos();
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(origin, ImVec2(origin.x + size.x, origin.y + size.y), color::kTrack);
  // Two pixels a column: half the triangles, and calmer to look at.
  constexpr float kColumn = 2;
  constexpr std::size_t kColumnsMax = 2048;
  std::array<float, kColumnsMax> room;
  const auto columns =
      std::min(static_cast<std::size_t>(std::max(1.0F, size.x / kColumn)), kColumnsMax);
  const auto values = columns_of(plot, std::span(room).first(columns));
  const float greatest = *std::ranges::max_element(values);
  const float maximum = std::max({plot.maximum, greatest, 1e-6F});
  const float bottom = origin.y + size.y;
  for (std::size_t i = 0; i < columns; ++i) {
    const float height = std::round(std::clamp(values[i] / maximum, 0.0F, 1.0F) * (size.y - 2));
    if (height <= 0) continue;
    const float x = origin.x + static_cast<float>(i) * kColumn;
    draw->AddRectFilled(ImVec2(x, bottom - height), ImVec2(x + kColumn, bottom),
                        with_alpha(plot.color, 0.30F));
    draw->AddRectFilled(ImVec2(x, bottom - height), ImVec2(x + kColumn, bottom - height + 2),
                        plot.color);
  }
  ImGui::Dummy(size);
}

}  // namespace submix::ui
