// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/ui/draw/theme.hpp"

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The small things that panels are made of. All sizes are in pixels of the window.
namespace submix::ui {

/// A panel's frame with its title. False: nothing of it is visible. end_panel() in any case.
bool begin_panel(const char* title, const Fonts& fonts);
void end_panel();
/// Puts what follows at the right end of the title's line.
void panel_title_right(float width);

void text(std::string_view text, ImU32 color = color::kText);
void text_in(ImFont* font, std::string_view text, ImU32 color = color::kText);
/// Right-aligned in what is left of the line or cell.
void text_right(std::string_view text, ImU32 color = color::kText);
/// Cut with "…" at `width`; the whole text when the mouse rests on it.
void text_cut(std::string_view text, float width, ImU32 color = color::kText);
[[nodiscard]] float width_of(std::string_view text);
void rule();                          ///< a thin line across the panel
void tooltip(std::string_view text);  ///< for the widget before it
void close_menus();                   ///< context menus, combos and other popups

/// A state: a coloured mark and a word, since a colour alone says nothing to many people.
void badge(std::string_view word, ImU32 color);
[[nodiscard]] float badge_width(std::string_view word);

struct BarPart {
  double share = 0;
  ImU32 color = 0;
};
/// Parts side by side from the left; what is left over stays empty.
void parts_bar(std::span<const BarPart> parts, ImVec2 size);
/// Of a queue; many seats become a plain bar.
struct Seats {
  std::uint32_t filled = 0;
  std::uint32_t capacity = 0;
  ImU32 color_when_full = color::kWarning;
};
void seats_bar(const Seats& seats, ImVec2 size);

struct Plot {
  std::span<const float> samples;  ///< oldest first
  std::size_t samples_shown = 0;   ///< the newest of them; the right edge is now
  float maximum = 0;               ///< of the axis; 0: of the samples
  ImU32 color = color::kAccent;
};
/// A line with the area below it; where there are more samples than pixels each column shows its greatest.
void plot(const Plot& plot, ImVec2 size);

struct Meaning {
  const char* word;
  ImU32 color;
};
/// What the colours mean, at the right end of a panel's title.
void title_legend(std::span<const Meaning> meanings);

[[nodiscard]] ImU32 color_of(model::Health health);
[[nodiscard]] ImU32 color_of(model::SubmixState state);
[[nodiscard]] ImU32 color_of(Severity severity);
[[nodiscard]] ImU32 with_alpha(ImU32 color, float alpha);

}  // namespace submix::ui
