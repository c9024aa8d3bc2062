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

/// The small widgets that panels consist of. All sizes are in pixels of the window.
namespace submix::ui {

struct Panel;

/// Begins a panel's frame with its title. False: nothing of the panel is visible. Call end_panel()
/// in both cases.
bool begin_panel(const char* title, const Fonts& fonts);
/// The same without a title, which would only name what everybody sees.
bool begin_plain_panel(const char* name);
void end_panel();
/// Puts the following widgets at the right end of the title's line.
void panel_title_right(float width);

/// Where a dialog stays while its content grows and shrinks.
enum class DialogPlace { middle, top };

/// Begins a dialog. It is panel.px(width) wide, and at most nine tenths of the window; the rest is
/// scrolled. Where fingers are used, its controls are large enough. Call end_dialog() afterwards.
void begin_dialog(const char* name, float width, const Panel& panel,
                  DialogPlace place = DialogPlace::middle);
void end_dialog();

void text(std::string_view text, ImU32 color = color::kText);
/// In as many lines as the window's width needs.
void text_wrapped(std::string_view text, ImU32 color = color::kText);
void text_in(ImFont* font, std::string_view text, ImU32 color = color::kText);
/// Right-aligned in the rest of the line or cell.
void text_right(std::string_view text, ImU32 color = color::kText);
/// Cut with "…" at `width`. A tooltip shows the whole text.
void text_cut(std::string_view text, float width, ImU32 color = color::kText);
/// The next cell of a table's head.
void head_cell(std::string_view words, bool is_right = false);
[[nodiscard]] float width_of(std::string_view text);
void rule();  ///< a thin line across the panel
/// Of the last widget, when the mouse has been over it for a while and has not pressed. It leaves
/// the widget's neighbours in the line in view.
void tooltip(std::string_view text);
/// The same above `top`, a place in the window, where nothing is that the hand wants next.
void tooltip_above(std::string_view text, float top);
enum class TooltipSide { below, above };
/// Places the next tooltip, of this size, beside the last widget: its neighbours in the line stay
/// in view. It goes to the other side where the window ends. In a high widget it follows the mouse.
void place_tooltip(ImVec2 size, TooltipSide wanted = TooltipSide::below);
/// The same with a text that is made only while the mouse is over the widget.
template <typename MakeText>
void tooltip_of(const MakeText& make_text) {
  if (ImGui::IsItemHovered()) tooltip(make_text());
}
void close_menus();  ///< context menus, combos and other popups

/// A state as a coloured mark with a word: a colour alone tells many people nothing.
void badge(std::string_view word, ImU32 color);
[[nodiscard]] float badge_width(std::string_view word);

struct BarPart {
  double share = 0;
  ImU32 color = 0;
};
/// Draws parts side by side from the left; the rest of the bar stays empty.
void parts_bar(std::span<const BarPart> parts, ImVec2 size);
/// The fill level of a queue. A queue with many places is drawn as a plain bar.
struct Seats {
  std::uint32_t filled = 0;
  std::uint32_t capacity = 0;
  ImU32 color_when_full = color::kWarning;
};
void seats_bar(const Seats& seats, ImVec2 size);

struct Plot {
  std::span<const float> samples;  ///< oldest first
  std::size_t samples_shown = 0;   ///< the newest samples are shown; the right edge is now
  float maximum = 0;               ///< top of the axis; 0: the greatest sample
  ImU32 color = color::kAccent;
};
/// A line with the area below it. Where samples are denser than pixels, each column shows its
/// greatest.
void plot(const Plot& plot, ImVec2 size);

/// A button that stays lit while `is_on`.
[[nodiscard]] bool lit_button(const char* label, bool is_on, ImVec2 size = {});

/// A slider from 0 to `most`, lit up to its grab. Its number, written by `format` of printf(),
/// stands beside the grab: on the side that has more room. An empty format: between two sides,
/// without a number and never lit. True: `value` has changed.
[[nodiscard]] bool number_slider(const char* label, float& value, float most, const char* format);

/// The next item stands beside the last one, or below it where its `width` finds no room.
void same_line_if_fits(float width);

/// A list of texts that opens below `shown`. Returns the choice that was pressed, if it is not
/// `present`. Null: none was.
[[nodiscard]] const std::string* draw_choices(const char* id, std::span<const std::string> choices,
                                              std::string_view present, const char* shown,
                                              const Panel& panel,
                                              ImGuiComboFlags flags = ImGuiComboFlags_None);

struct Meaning {
  const char* word;
  ImU32 color;
};
/// A legend of the colours, at the right end of a panel's title.
void title_legend(std::span<const Meaning> meanings);

[[nodiscard]] ImU32 color_of(model::Health health);
[[nodiscard]] ImU32 color_of(model::SubmixState state);
[[nodiscard]] ImU32 color_of(Severity severity);
[[nodiscard]] ImU32 with_alpha(ImU32 color, float alpha);

}  // namespace submix::ui
