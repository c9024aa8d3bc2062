// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <optional>

namespace submix::ui {

/// The controls that the tour points at.
enum class TourMark { layers, mixer, sides, black_out, perform_mode, verdict, count };

/// The tour of the first start (shell/tour.hpp), and where the controls are in this frame.
struct TourState {
  struct Place {
    ImVec2 from;
    ImVec2 to;
  };

  bool is_wanted = false;           ///< it begins as soon as there is a show to see
  std::optional<std::size_t> step;  ///< empty: no tour
  bool was_seen = false;            ///< kept in the preferences
  std::array<std::optional<Place>, static_cast<std::size_t>(TourMark::count)> places{};
  float bubble_height = 0;  ///< of the last frame

  void leave() { step.reset(); }
  /// A control tells its place. Does nothing without a tour.
  void mark(TourMark mark, ImVec2 from, ImVec2 to) {
    if (step) places[static_cast<std::size_t>(mark)] = Place{from, to};
  }
  void mark_last_item(TourMark what) {
    mark(what, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
};

}  // namespace submix::ui
