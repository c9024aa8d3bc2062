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
  const float radius = height * 0.3F;
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, ImVec2(width, height));
  auto* held = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(id), 0);  // 1: from, 2: to
  const float room = width - 2 * radius;
  const double span = std::max(limits.to - limits.from, 1e-9);
  const auto place = [&](double number) {
    return corner.x + radius +
           static_cast<float>(std::clamp((number - limits.from) / span, 0.0, 1.0)) * room;
  };
  const float mouse = ImGui::GetIO().MousePos.x;
  if (ImGui::IsItemActivated())
    *held = std::abs(mouse - place(value.from)) < std::abs(mouse - place(value.to)) ? 1 : 2;
  if (!ImGui::IsItemActive()) *held = 0;
  std::optional<Range> changed;
  if (*held != 0) {
    const auto share =
        static_cast<double>(std::clamp((mouse - corner.x - radius) / room, 0.0F, 1.0F));
    const double number =
        std::clamp(as_written(limits.from + span * share), limits.from, limits.from + span);
    auto next = value;
    (*held == 1 ? next.from : next.to) = number;
    if (next.from != value.from || next.to != value.to) changed = next;
  }
  const auto shown = changed.value_or(value);
  const float middle = corner.y + height / 2;
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(corner.x, middle - 2), ImVec2(corner.x + width, middle + 2),
                      color::kTrack, 2);
  draw->AddRectFilled(ImVec2(std::min(place(shown.from), place(shown.to)), middle - 2),
                      ImVec2(std::max(place(shown.from), place(shown.to)), middle + 2),
                      color::kAccent, 2);
  draw_handle(ImVec2(place(shown.from), middle), radius * 0.7F, *held == 1);
  draw_handle(ImVec2(place(shown.to), middle), radius, *held == 2);
  return changed;
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
  const double shown = turned.value_or(value);
  const ImVec2 middle(corner.x + diameter / 2, corner.y + diameter / 2);
  const float radius = diameter / 2 - 2;
  constexpr float kFirst = 0.75F * std::numbers::pi_v<float>;
  constexpr float kSweep = 1.5F * std::numbers::pi_v<float>;
  const float angle = kFirst + kSweep * static_cast<float>(shown);
  auto* draw = ImGui::GetWindowDrawList();
  const bool is_lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
  draw->AddCircleFilled(middle, radius * 0.72F, is_lit ? color::kCardHovered : color::kCard, 32);
  draw_ring({middle, radius, kFirst, kFirst + kSweep}, diameter * 0.09F, color::kTrack);
  draw_ring({middle, radius, kFirst, angle}, diameter * 0.09F, color::kAccent);
  const auto at = [&](float part) {
    return ImVec2(middle.x + std::cos(angle) * radius * part,
                  middle.y + std::sin(angle) * radius * part);
  };
  draw->AddLine(at(0.25F), at(0.68F), color::kText, diameter * 0.05F);
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
