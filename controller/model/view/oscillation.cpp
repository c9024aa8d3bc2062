// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/oscillation.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace submix::model {

std::string period_text(const show::Oscillator& oscillator) {
  if (follows_sound(oscillator.waveform)) return "as heard";
  if (!oscillator.beats) return fmt::format("{:.4g} Hz", oscillator.frequency);
  const double beats = *oscillator.beats;
  const double parts = 1.0 / beats;
  if (beats < 1.0 && std::abs(parts - std::round(parts)) < 1e-6)
    return fmt::format("1/{:.0f} beat", parts);
  return fmt::format("{:.4g} {}", beats, beats == 1.0 ? "beat" : "beats");
}

std::optional<std::chrono::nanoseconds> show_time(const ClusterView& view, LocalTime now) {
  if (!view.clock_offset) return std::nullopt;
  return std::chrono::nanoseconds(now.time_since_epoch()) + *view.clock_offset;
}

show::Oscillator begun_at(show::Oscillator after, const std::optional<show::Oscillator>& before) {
  const bool is_new = !before || before->waveform != after.waveform;
  if (after.waveform == show::Waveform::one_shot && is_new) ++after.shots;
  return after;
}

Sound sound_now(const ClusterView& view) {
  const auto* listener = view.show ? view.find_healthy_node(view.show->sound.node) : nullptr;
  return listener != nullptr ? listener->sound.sound : Sound();
}

std::optional<show::Moment> moment_now(const ClusterView& view, std::string_view submix) {
  const auto* found = view.find_submix(submix);
  if (found == nullptr || found->stages.empty() || !view.show) return std::nullopt;
  const auto& [since, number] = found->show_count;
  auto moment =
      moment_of(view.show->tempo, view.show->rate, FrameIndex{number + (found->frames - since)});
  moment.sound = sound_now(view);
  return moment;
}

std::optional<double> value_now(const ClusterView& view, const show::Port& slot,
                                std::string_view parameter) {
  const auto* stated = view.show ? view.show->find_slot(slot) : nullptr;
  if (stated == nullptr) return std::nullopt;
  const auto found = stated->oscillators.find(parameter);
  const auto moment = moment_now(view, slot.submix);
  if (found == stated->oscillators.end() || !found->second.is_on || !moment) return std::nullopt;
  const auto seed = show::seed_of(fmt::format("{}.{}", to_string(slot), parameter));
  return value_at(found->second, *moment, seed);
}

}  // namespace submix::model
