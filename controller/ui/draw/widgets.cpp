// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/draw/layout.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace submix::ui {
namespace {

const char* begin_of(std::string_view text) {
  return std::to_address(text.begin());
}
const char* end_of(std::string_view text) {
  return std::to_address(text.end());
}

// Width of a badge's dot and the gap behind it.
float mark_width() {
  return std::round(ImGui::GetFontSize() * 0.9F);
}

// Of the last slider.
float middle_of_grab(float share) {
  const float low = ImGui::GetItemRectMin().x;
  const float grab = ImGui::GetStyle().GrabMinSize;
  return low + grab / 2 + share * (ImGui::GetItemRectMax().x - low - grab);
}

// The last slider is lit up to its grab.
void fill_up_to_grab(float share) {
  const auto low = ImGui::GetItemRectMin();
  const float end = middle_of_grab(share) - ImGui::GetStyle().GrabMinSize / 2;
  if (end <= low.x) return;
  ImGui::GetWindowDrawList()->AddRectFilled(low, ImVec2(end, ImGui::GetItemRectMax().y),
                                            color::kLit);
}

// Of the last slider. A text without room there loses its words: "master 0.50" becomes "0.50".
void write_beside_grab(float share, float value, const char* format, ImU32 paint) {
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  const float grab = ImGui::GetStyle().GrabMinSize;
  const float middle = middle_of_grab(share);
  const bool is_left = share >= 0.5F;
  const float begin = is_left ? low.x : middle + grab / 2;
  const float end = is_left ? middle - grab / 2 : high.x;

  std::array<char, 64> words{};
  ImFormatString(words.data(), words.size(), format, value);
  if (ImGui::CalcTextSize(words.data()).x > end - begin)
    ImFormatString(words.data(), words.size(), ImParseFormatFindStart(format), value);
  const auto size = ImGui::CalcTextSize(words.data());
  const ImVec2 at(std::round((begin + end - size.x) / 2),
                  std::round((low.y + high.y - size.y) / 2));
  ImGui::GetWindowDrawList()->AddText(at, paint, words.data());
}

/// How long the mouse has been over the last widget. ImGui 1.86 does not tell it of texts.
///
/// Threads  Confined (ui).
class Hovering {
 public:
  static Hovering& of_mouse() {
    static Hovering hovering;
    return hovering;
  }
  /// To be asked in each frame in which the widget is hovered. False soon after the mouse came, and
  /// from a press on: who presses knows the widget, and goes on to its neighbour.
  [[nodiscard]] bool is_long() {
    const auto* window = ImGui::GetCurrentWindow();
    const auto id = ImGui::GetItemID();
    const float top = ImGui::GetItemRectMin().y;
    const int frame = ImGui::GetFrameCount();
    const bool is_same = window == window_ && id == id_ && top == top_ && frame - frame_ <= 1;
    if (!is_same) *this = {window, id, top, ImGui::GetTime()};
    frame_ = frame;
    is_pressed_ = is_pressed_ || ImGui::IsAnyMouseDown();
    return !is_pressed_ && ImGui::GetTime() - since_ >= kDelay;
  }

 private:
  static constexpr double kDelay = 0.4;  // the window draws on for 0.6 s after the mouse moved

  Hovering() = default;
  Hovering(const ImGuiWindow* window, ImGuiID id, float top, double since)
      : window_(window), id_(id), top_(top), since_(since) {}

  const ImGuiWindow* window_ = nullptr;
  ImGuiID id_ = 0;  // 0: a text
  float top_ = 0;
  double since_ = 0;
  int frame_ = 0;
  bool is_pressed_ = false;
};

constexpr float kTooltipGap = 4;

float left_of_tooltip(float width) {
  const float wanted = ImGui::GetIO().MousePos.x - ImGui::GetFontSize();
  return std::max(0.0F, std::min(wanted, ImGui::GetIO().DisplaySize.x - width));
}

template <typename Place>
void show_tooltip(std::string_view words, const Place& place) {
  if (!ImGui::IsItemHovered() || words.empty() || !Hovering::of_mouse().is_long()) return;
  const ImVec2 padding(10, 7);
  const float wrap = ImGui::GetFontSize() * 36;
  const auto room = ImGui::CalcTextSize(begin_of(words), end_of(words), false, wrap);
  place(ImVec2(room.x + 2 * padding.x, room.y + 2 * padding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(wrap);
  text(words);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace

void place_tooltip(ImVec2 size, TooltipSide wanted) {
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  if (high.y - low.y > 3 * ImGui::GetFrameHeight()) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  const float above = low.y - kTooltipGap - size.y;
  const float below = high.y + kTooltipGap;
  const bool is_above = wanted == TooltipSide::above ? above >= 0 : below + size.y > screen.y;
  ImGui::SetNextWindowPos(ImVec2(left_of_tooltip(size.x), is_above ? above : below));
}

// Without keyboard navigation ImGui leaves menus open. Only its internal header has a function that
// closes them.
void close_menus() {
  if (ImGui::GetCurrentContext()->OpenPopupStack.Size > 0) ImGui::ClosePopupToLevel(0, true);
}

bool begin_plain_panel(const char* name) {
  const float pad = std::round(ImGui::GetFontSize() * 0.8F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad * 0.75F));
  const bool is_visible =
      ImGui::BeginChild(name, ImVec2(0, 0), false,
                        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleVar();
  return is_visible;
}

bool begin_panel(const char* title, const Fonts& fonts) {
  const bool is_visible = begin_plain_panel(title);
  ImGui::AlignTextToFramePadding();
  text_in(fonts.strong, title);
  return is_visible;
}

void end_panel() {
  ImGui::EndChild();
}

void panel_title_right(float width) {
  ImGui::SameLine();
  ImGui::SetCursorPosX(
      std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - width));
}

void begin_dialog(const char* name, float width, const Panel& panel, DialogPlace place) {
  const auto screen = ImGui::GetIO().DisplaySize;
  constexpr float kTop = 0.12F;  // below the tabs
  const ImVec2 most(screen.x * 0.9F, screen.y * (1 - kTop - 0.02F));
  const bool is_in_middle = place == DialogPlace::middle;
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y * (is_in_middle ? 0.5F : kTop)),
                          ImGuiCond_Always, ImVec2(0.5F, is_in_middle ? 0.5F : 0));
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), most);
  ImGui::SetNextWindowSize(ImVec2(std::min(panel.px(width), most.x), 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(20), panel.px(16)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCard);
  constexpr auto kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove;
  ImGui::Begin(name, nullptr, kFixed);
  push_finger_style(panel);
}
void end_dialog() {
  pop_finger_style();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void text(std::string_view text, ImU32 color) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(begin_of(text), end_of(text));
  ImGui::PopStyleColor();
}

void text_wrapped(std::string_view words, ImU32 color) {
  ImGui::PushTextWrapPos(0);
  text(words, color);
  ImGui::PopTextWrapPos();
}

void text_in(ImFont* font, std::string_view words, ImU32 color) {
  ImGui::PushFont(font);
  text(words, color);
  ImGui::PopFont();
}

void head_cell(std::string_view words, bool is_right) {
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x;
  if (is_right && width_of(words) <= room) return text_right(words, color::kFaint);
  text_cut(words, room, color::kFaint);
}

float width_of(std::string_view text) {
  return ImGui::CalcTextSize(begin_of(text), end_of(text)).x;
}

void text_right(std::string_view words, ImU32 color) {
  const float room = ImGui::GetContentRegionAvail().x - width_of(words);
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  text(words, color);
}

void text_cut(std::string_view words, float width, ImU32 color) {
  if (width_of(words) <= width) return text(words, color);
  const float room = width - width_of("...");
  const char* fits = begin_of(words);
  ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), std::max(room, 0.0F), 0.0F, begin_of(words),
                                  end_of(words), &fits);
  text(std::string(begin_of(words), fits) + "...", color);
  tooltip(words);
}

void rule() {
  const auto left = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(left, ImVec2(left.x + width, left.y + 1),
                                            color::kBorder);
  ImGui::Dummy(ImVec2(width, 1));
}

void tooltip(std::string_view words) {
  show_tooltip(words, [](ImVec2 size) { place_tooltip(size); });
}

void tooltip_above(std::string_view words, float top) {
  show_tooltip(words, [top](ImVec2 size) {
    const float y = top - kTooltipGap - size.y;
    if (y < 0) return place_tooltip(size);
    ImGui::SetNextWindowPos(ImVec2(left_of_tooltip(size.x), y));
  });
}

float badge_width(std::string_view word) {
  return ImGui::GetFontSize() * 0.95F + width_of(word);
}

void badge(std::string_view word, ImU32 color) {
  const float radius = std::round(ImGui::GetFontSize() * 0.56F) / 2;
  const float left = ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + mark_width());
  text(word, color);
  const auto top = ImGui::GetItemRectMin();
  const ImVec2 center(left + radius, std::round(top.y + ImGui::GetTextLineHeight() * 0.5F) + 0.5F);
  auto* draw = ImGui::GetWindowDrawList();
  const auto flags = draw->Flags;
  // Without smoothing a dot is a blot; these few triangles cost little.
  draw->Flags |= ImDrawListFlags_AntiAliasedFill;
  draw->AddCircleFilled(center, radius, color, 12);
  draw->Flags = flags;
}

void parts_bar(std::span<const BarPart> parts, ImVec2 size) {
  const auto origin = ImGui::GetCursorScreenPos();
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(origin, ImVec2(origin.x + size.x, origin.y + size.y), color::kTrack);
  float x = origin.x;
  for (const auto& part : parts) {
    const float end = std::min(x + size.x * static_cast<float>(std::clamp(part.share, 0.0, 1.0)),
                               origin.x + size.x);
    draw->AddRectFilled(ImVec2(std::round(x), origin.y), ImVec2(std::round(end), origin.y + size.y),
                        part.color);
    x = end;
  }
  ImGui::Dummy(size);
}

const std::string* draw_choices(const char* id, std::span<const std::string> choices,
                                std::string_view present, const char* shown, const Panel& panel,
                                ImGuiComboFlags flags) {
  if (!begin_combo(id, shown, panel, flags)) return nullptr;
  const std::string* chosen = nullptr;
  for (const auto& choice : choices) {
    if (ImGui::Selectable(choice.c_str(), choice == present) && choice != present) chosen = &choice;
  }
  end_combo();
  return chosen;
}

bool lit_button(const char* label, bool is_on, ImVec2 size) {
  if (is_on) {
    ImGui::PushStyleColor(ImGuiCol_Button, color::kLit);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(color::kLit, 0.85F));
  }
  const bool is_pressed = ImGui::Button(label, size);
  if (is_on) ImGui::PopStyleColor(2);
  return is_pressed;
}

bool number_slider(const char* label, float& value, float most, const char* format) {
  // ImGui would write the number in the middle, where the grab may be.
  const bool is_typed = ImGui::TempInputIsActive(ImGui::GetID(label));
  const ImU32 paint = ImGui::GetColorU32(ImGuiCol_Text);
  ImGui::PushStyleColor(ImGuiCol_Text, is_typed ? paint : IM_COL32_BLACK_TRANS);
  const bool has_slid = ImGui::SliderFloat(label, &value, 0, most, format);
  ImGui::PopStyleColor();
  if (is_typed || *format == '\0') return has_slid;
  const float share = std::clamp(value / most, 0.0F, 1.0F);
  fill_up_to_grab(share);
  write_beside_grab(share, value, format, paint);
  return has_slid;
}

void same_line_if_fits(float width) {
  const float edge = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  if (end <= edge) ImGui::SameLine();
}

void seats_bar(const Seats& seats, ImVec2 size) {
  const auto [filled, capacity, color_when_full] = seats;
  constexpr std::uint32_t kSeatsMax = 12;
  const bool is_full = capacity > 0 && filled >= capacity;
  const ImU32 paint = is_full ? color_when_full : color::kAccent;
  if (capacity == 0 || capacity > kSeatsMax) {
    const double share = capacity == 0 ? 0 : static_cast<double>(filled) / capacity;
    const BarPart part{share, paint};
    return parts_bar({&part, 1}, size);
  }
  const auto origin = ImGui::GetCursorScreenPos();
  auto* draw = ImGui::GetWindowDrawList();
  const float gap = 2;
  const float seat = std::floor((size.x + gap) / static_cast<float>(capacity)) - gap;
  for (std::uint32_t i = 0; i < capacity; ++i) {
    const float x = origin.x + static_cast<float>(i) * (seat + gap);
    draw->AddRectFilled(ImVec2(x, origin.y), ImVec2(x + seat, origin.y + size.y),
                        i < filled ? paint : color::kTrack);
  }
  ImGui::Dummy(size);
}

void title_legend(std::span<const Meaning> meanings) {
  const float gap = std::round(ImGui::GetFontSize() * 0.8F);
  float width = -gap;
  for (const auto& meaning : meanings)
    width += badge_width(meaning.word) + gap;
  panel_title_right(width);
  for (const auto& meaning : meanings) {
    if (&meaning != meanings.data()) ImGui::SameLine(0, gap);
    const float left = ImGui::GetCursorPosX();
    badge("", meaning.color);
    ImGui::SameLine(left + mark_width());
    text(meaning.word, color::kDim);
  }
}

ImU32 with_alpha(ImU32 color, float alpha) {
  auto parts = ImGui::ColorConvertU32ToFloat4(color);
  parts.w *= alpha;
  return ImGui::ColorConvertFloat4ToU32(parts);
}

ImU32 color_of(model::Health health) {
  switch (health) {
    case model::Health::healthy:
      return color::kGood;
    case model::Health::starting:
      return color::kAccent;
    case model::Health::silent:
    case model::Health::unheard:
      return color::kWarning;
    case model::Health::gone:
      return color::kBad;
    case model::Health::absent:
    case model::Health::unknown:
      return color::kDim;
  }
  return color::kDim;
}

ImU32 color_of(model::SubmixState state) {
  switch (state) {
    case model::SubmixState::running:
    case model::SubmixState::in_others:
      return color::kGood;
    case model::SubmixState::starting:
      return color::kAccent;
    case model::SubmixState::waiting:
      return color::kWarning;
    case model::SubmixState::failed:
      return color::kBad;
    case model::SubmixState::unassigned:
      return color::kDim;
  }
  return color::kDim;
}

ImU32 color_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return color::kDim;
    case Severity::warning:
      return color::kWarning;
    case Severity::fault:
      return color::kBad;
  }
  return color::kDim;
}

}  // namespace submix::ui
