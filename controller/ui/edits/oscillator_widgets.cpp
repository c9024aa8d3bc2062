// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/oscillator_widgets.hpp"

#include "common/base/written_number.hpp"
#include "controller/ui/draw/theme.hpp"
#include "controller/ui/draw/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace submix::ui {
namespace {

constexpr float kDragForWhole = 180;  // pixels of a drag from one end of a knob to the other
constexpr float kFinely = 8;          // factor on the length of a drag with Shift
constexpr double kWheelStep = 0.02;

// Several periods of a random waveform tell more than one of its steps.
double periods_shown(show::Waveform waveform) {
  const bool is_random =
      waveform == show::Waveform::random || waveform == show::Waveform::random_ramp;
  return is_random ? 8.0 : waveform == show::Waveform::one_shot ? 1.0 : 2.0;
}

void draw_handle(ImVec2 middle, float radius, bool is_held) {
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddCircleFilled(middle, radius, is_held ? color::kText : color::kAccent, 16);
}

struct Arc {
  ImVec2 middle;
  float radius;
  float from;
  float to;
};

// Draws four-sided pieces: ImGui's thick lines have gaps at bends when smoothing is off.
void draw_ring(const Arc& arc, float thickness, ImU32 color) {
  constexpr int kPieces = 48;
  auto* draw = ImGui::GetWindowDrawList();
  const auto at = [&](int piece, float radius) {
    const float angle = arc.from + (arc.to - arc.from) * static_cast<float>(piece) / kPieces;
    return ImVec2(arc.middle.x + std::cos(angle) * radius, arc.middle.y + std::sin(angle) * radius);
  };
  const float inner = arc.radius - thickness;
  for (int i = 0; i < kPieces; ++i)
    draw->AddQuadFilled(at(i, arc.radius), at(i + 1, arc.radius), at(i + 1, inner), at(i, inner),
                        color);
}

// The held end of a range.
constexpr int kNoEnd = 0;
constexpr int kFromEnd = 1;
constexpr int kToEnd = 2;

/// The line of a range slider on the screen.
struct RangeLine {
  ImVec2 corner;
  ImVec2 size;
  Range limits;

  [[nodiscard]] float radius() const { return size.y * 0.3F; }  ///< of the greater handle
  [[nodiscard]] float room() const { return size.x - 2 * radius(); }
  [[nodiscard]] double span() const { return std::max(limits.to - limits.from, 1e-9); }

  [[nodiscard]] float x_of(double number) const {
    const double share = std::clamp((number - limits.from) / span(), 0.0, 1.0);
    return corner.x + radius() + static_cast<float>(share) * room();
  }
  [[nodiscard]] double number_at(float x) const {
    const float share = std::clamp((x - corner.x - radius()) / room(), 0.0F, 1.0F);
    const double number = as_written(limits.from + span() * static_cast<double>(share));
    return std::clamp(number, limits.from, limits.from + span());
  }
  [[nodiscard]] int nearest_end(Range value, float x) const {
    return std::abs(x - x_of(value.from)) < std::abs(x - x_of(value.to)) ? kFromEnd : kToEnd;
  }
};

void draw_range_line(const RangeLine& line, Range value, int held) {
  constexpr float kHalfLine = 2;
  const float middle = line.corner.y + line.size.y / 2;
  const float from = line.x_of(value.from);
  const float to = line.x_of(value.to);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(line.corner.x, middle - kHalfLine),
                      ImVec2(line.corner.x + line.size.x, middle + kHalfLine), color::kTrack, 2);
  draw->AddRectFilled(ImVec2(std::min(from, to), middle - kHalfLine),
                      ImVec2(std::max(from, to), middle + kHalfLine), color::kAccent, 2);
  draw_handle(ImVec2(from, middle), line.radius() * 0.7F, held == kFromEnd);
  draw_handle(ImVec2(to, middle), line.radius(), held == kToEnd);
}

// `value`: 0 to 1.
void draw_round_knob(ImVec2 middle, float diameter, double value, bool is_lit) {
  constexpr float kFirst = 0.75F * std::numbers::pi_v<float>;
  constexpr float kSweep = 1.5F * std::numbers::pi_v<float>;
  const float radius = diameter / 2 - 2;
  const float angle = kFirst + kSweep * static_cast<float>(value);
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddCircleFilled(middle, radius * 0.72F, is_lit ? color::kCardHovered : color::kCard, 32);
  draw_ring({middle, radius, kFirst, kFirst + kSweep}, diameter * 0.09F, color::kTrack);
  draw_ring({middle, radius, kFirst, angle}, diameter * 0.09F, color::kAccent);
  const auto at = [&](float part) {
    return ImVec2(middle.x + std::cos(angle) * radius * part,
                  middle.y + std::sin(angle) * radius * part);
  };
  draw->AddLine(at(0.25F), at(0.68F), color::kText, diameter * 0.05F);
}

}  // namespace

void waveform(const show::Oscillator& oscillator, const show::Moment& moment, std::uint64_t seed,
              ImVec2 size) {
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  if (!ImGui::IsItemVisible()) return;
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  draw->AddRectFilled(corner, end, color::kTrack, 3);
  if (const auto heard = show::loudness(oscillator.waveform, moment.sound)) {
    const float level = corner.x + static_cast<float>(*heard) * size.x;
    return draw->AddRectFilled(corner, ImVec2(level, end.y), color::kAccent, 3);
  }
  const double shown = periods_shown(oscillator.waveform);
  const double now = show::periods_at(oscillator, moment);
  const bool is_shot = oscillator.waveform == show::Waveform::one_shot;
  const double begin = is_shot ? 0.0 : std::floor(now / shown) * shown;
  const float inset = 3;
  const auto point = [&](double part) {
    const double level = show::level_after(oscillator, begin + part * shown, seed);
    return ImVec2(corner.x + static_cast<float>(part) * size.x,
                  end.y - inset - static_cast<float>(level) * (size.y - 2 * inset));
  };
  draw->PushClipRect(corner, end, true);
  auto last = point(0);
  for (float x = 1; x < size.x; ++x) {
    const auto next = point(static_cast<double>(x / size.x) - 1e-6);
    draw->AddLine(last, next, color::kAccent, 1.5F);
    last = next;
  }
  const double part = is_shot ? std::clamp(now, 0.0, 1.0) : (now - begin) / shown;
  draw->AddCircleFilled(point(std::min(part, 1.0 - 1e-6)), size.y * 0.14F, color::kText, 12);
  draw->PopClipRect();
}

std::optional<Range> range_slider(const char* id, Range value, Range limits, float width) {
  const float height = ImGui::GetFrameHeight();
  const RangeLine line{ImGui::GetCursorScreenPos(), ImVec2(width, height), limits};
  ImGui::InvisibleButton(id, ImVec2(width, height));
  auto* held = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(id), kNoEnd);
  const float mouse = ImGui::GetIO().MousePos.x;
  if (ImGui::IsItemActivated()) *held = line.nearest_end(value, mouse);
  if (!ImGui::IsItemActive()) *held = kNoEnd;

  auto shown = value;
  if (*held != kNoEnd) (*held == kFromEnd ? shown.from : shown.to) = line.number_at(mouse);
  draw_range_line(line, shown, *held);

  const bool is_changed = shown.from != value.from || shown.to != value.to;
  return is_changed ? std::optional(shown) : std::nullopt;
}

std::optional<double> round_knob(const char* id, double value, float diameter) {
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, ImVec2(diameter, diameter));
  auto* held = ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(id), 0);
  const auto& io = ImGui::GetIO();
  const float finely = io.KeyShift ? kFinely : 1.0F;
  std::optional<double> turned;
  // Continues from the dragged value: the show confirms a value later than the next frame.
  if (ImGui::IsItemActivated()) {
    *held = static_cast<float>(value);
  } else if (ImGui::IsItemActive()) {
    *held += (io.MouseDelta.x - io.MouseDelta.y) / (kDragForWhole * finely);
    turned = as_written(*held);
  } else if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    turned = as_written(value + static_cast<double>(io.MouseWheel / finely) * kWheelStep);
  }
  if (turned) turned = std::clamp(*turned, 0.0, 1.0);

  const ImVec2 middle(corner.x + diameter / 2, corner.y + diameter / 2);
  const bool is_lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
  draw_round_knob(middle, diameter, turned.value_or(value), is_lit);
  return turned && *turned != value ? turned : std::nullopt;
}

std::optional<double> drag_number(const DragField& field, double value) {
  constexpr float kNotHeld = std::numeric_limits<float>::quiet_NaN();
  auto* held = ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(field.label), kNotHeld);
  float shown = std::isnan(*held) ? static_cast<float>(value) : *held;
  const bool has_changed =
      ImGui::DragFloat(field.label, &shown, field.speed, static_cast<float>(field.minimum),
                       static_cast<float>(field.maximum), field.format, field.flags);
  *held = ImGui::IsItemActive() ? shown : kNotHeld;
  if (!has_changed) return std::nullopt;
  return std::clamp(as_written(shown), field.minimum, field.maximum);
}

}  // namespace submix::ui
