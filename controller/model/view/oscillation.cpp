// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/oscillation.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace submix::model {

std::string period_text(const show::Oscillator& oscillator) {
  if (!oscillator.beats) return fmt::format("{:.4g} Hz", oscillator.frequency);
  const double beats = *oscillator.beats;
  const double parts = 1.0 / beats;
  if (beats < 1.0 && std::abs(parts - std::round(parts)) < 1e-6)
    return fmt::format("1/{:.0f} beat", parts);
  return fmt::format("{:.4g} {}", beats, beats == 1.0 ? "beat" : "beats");
}

std::optional<FrameIndex> frame_now(const ClusterView& view, std::string_view submix) {
  const auto* found = view.find_submix(submix);
  if (found == nullptr || found->stages.empty()) return std::nullopt;
  FrameIndex furthest{found->frames};
  for (const auto& stage : found->stages)  // sources are ahead of the shown frame
    furthest = std::max(furthest, FrameIndex{stage.frames});
  return furthest;
}

show::Oscillator begun_at(show::Oscillator after, const std::optional<show::Oscillator>& before) {
  const bool is_new = !before || before->waveform != after.waveform;
  if (after.waveform == show::Waveform::one_shot && is_new) ++after.shots;
  return after;
}

show::Timeline timeline_of(const telemetry::TimelineReading& reading) {
  return {.tempo = {reading.beats_per_minute, reading.master_speed},
          .since = {reading.since_frame},
          .moment = {reading.seconds, reading.beats}};
}

std::optional<show::Moment> moment_now(const ClusterView& view, std::string_view submix) {
  const auto* found = view.find_submix(submix);
  if (found == nullptr || found->stages.empty() || !view.show) return std::nullopt;
  return moment_of(found->timeline, view.show->rate, FrameIndex{found->frames});
}

std::optional<show::Oscillator> moving_oscillator(const ClusterView& view, const show::Port& slot,
                                                  std::string_view parameter) {
  const auto* stated = view.show ? view.show->find_slot(slot) : nullptr;
  if (stated == nullptr) return std::nullopt;
  const auto found = stated->oscillators.find(parameter);
  if (found == stated->oscillators.end()) return std::nullopt;
  auto oscillator = found->second;
  const auto* submix = view.find_submix(slot.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(slot.slot);
  if (stage == nullptr) return oscillator;
  const auto moved =
      std::ranges::find(stage->moving, parameter, &telemetry::MovingReading::parameter);
  if (moved == stage->moving.end()) return oscillator;
  oscillator.phase = moved->phase;
  oscillator.start = moved->start;
  return oscillator;
}

std::optional<double> value_now(const ClusterView& view, const show::Port& slot,
                                std::string_view parameter) {
  const auto oscillator = moving_oscillator(view, slot, parameter);
  const auto moment = moment_now(view, slot.submix);
  if (!oscillator || !oscillator->is_on || !moment) return std::nullopt;
  const auto seed = show::seed_of(fmt::format("{}.{}", to_string(slot), parameter));
  return value_at(*oscillator, *moment, seed);
}

}  // namespace submix::model
