// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_beats.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/clip_beats.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/clip_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

// People read and write a show: a loop's begin is a millisecond's, its length is exact.
constexpr double kBeginSteps = 1e3;
constexpr double kLengthSteps = 1e6;

double number_in(const show::Slot& slot, std::string_view name, double initial) {
  return show::stated_value(slot.parameters, name, initial);
}

double beat_rate(const show::Show& show) {
  return show.tempo.beats_per_minute * show.tempo.master_speed / 60;
}

std::string counted(double beats) {
  return beats == 1 ? "1 beat" : fmt::format("{:g} beats", beats);
}

double span_of(const show::ClipPart& part) {
  return part.end - part.begin;
}

bool is_part_only(const show::Slot& clip, const ClipReport& report) {
  const auto part = played_part(clip, report);
  return part.begin > 0 || part.end < report.end;
}

bool is_in_bank(const show::Slot& clip, const ClipReport& report) {
  return report.playing == 1 || report.playing <= show::clip_bank_of(clip.parameters).size();
}

// A beat of the show in seconds of the clip, whatever its direction.
double seconds_a_beat(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  const double synced = synced_beats(show, clip, report);
  if (synced > 0) return span_of(played_part(clip, report)) / synced;
  const double speed = number_in(clip, "speed", 1);
  return (speed == 0 ? 1 : std::abs(speed)) / beat_rate(show);
}

double in_steps_of(double value, double steps) {
  return std::round(value * steps) / steps;
}

double loop_seconds(const show::Show& show, const show::Slot& clip, double beats,
                    const ClipReport& report) {
  return in_steps_of(beats * seconds_a_beat(show, clip, report), kLengthSteps);
}

// Whether the clip can follow beats, and else why not.
LoopFit beat_fit(const show::Show& show, const show::Slot* clip, const ClipReport& report) {
  if (clip == nullptr || clip->plugin != "clip") return LoopFit::no_clip;
  if (report.end <= 0) return LoopFit::not_told;
  return beat_rate(show) > 0 ? LoopFit::fits : LoopFit::no_beat;
}

tl::unexpected<Error> refusal_of_clip(LoopFit fit, const show::Port& port,
                                      const ClipReport& report) {
  const auto about = show::to_string(port);
  switch (fit) {
    case LoopFit::not_told:
      return fail("{}: its length is not known; wait until its node plays it", about);
    case LoopFit::no_beat:
      return fail("{}: the beats stand still; set a tempo, and a speed of the show above 0", about);
    case LoopFit::not_in_bank:
      return not_in_bank(port, report);
    default:
      return fail("{}: is no clip; choose a layer that plays one", about);
  }
}

tl::unexpected<Error> refusal_of_loop(LoopFit fit, const show::Port& port, double beats,
                                      double seconds, const ClipReport& report) {
  const auto about = show::to_string(port);
  switch (fit) {
    case LoopFit::no_length:
      return fail("{}: a loop of {:g} beats has no length; take more", about, beats);
    case LoopFit::too_long:
      return fail(
          "{}: a loop of {} has {:.2f} s, and the clip has {:.2f} s; take fewer beats, or a faster "
          "tempo",
          about, counted(beats), seconds, report.end);
    case LoopFit::too_short:
      return fail(
          "{}: a loop of {} has {:.3f} s, less than {:g} s; take more beats, or a slower tempo",
          about, counted(beats), seconds, kShortestLoopSeconds);
    default:
      return refusal_of_clip(fit, port, report);
  }
}

// Where a loop of this length begins.
double begin_of_loop(const show::Slot& clip, const ClipReport& report, double seconds) {
  const bool is_backwards = number_in(clip, "speed", 1) < 0;
  const auto part = played_part(clip, report);
  const bool is_kept = is_part_only(clip, report);
  const double first = is_kept ? part.begin : report.position;
  const double last = is_kept ? part.end : report.position;
  const double begin = is_backwards ? last - seconds : first;
  const double latest = in_steps_of(std::max(0.0, report.end - seconds), kLengthSteps);
  return std::min(in_steps_of(std::max(0.0, begin), kBeginSteps), latest);
}

SetParameter set_clip(const show::Port& port, std::string_view name, show::ParameterValue value) {
  return {port, std::string(name), std::move(value)};
}

bool is_looping(const show::Slot& clip) {
  return show::stated_value(clip.parameters, "loop", true);
}

}  // namespace

show::ClipPart played_part(const show::Slot& clip, const ClipReport& report) {
  if (report.end <= 0) return {};
  return show::part_within(show::clip_part_of(clip.parameters, report.playing), report.end);
}

double synced_beats(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  return show::lasting_beats(number_in(clip, show::kClipBeats, 0),
                             span_of(played_part(clip, report)), beat_rate(show));
}

double played_speed(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  const double speed = number_in(clip, "speed", 1);
  const double synced = synced_beats(show, clip, report);
  if (synced == 0 || speed == 0) return speed;
  const double pace = span_of(played_part(clip, report)) / synced * beat_rate(show);
  return speed > 0 ? pace : -pace;
}

double looped_beats(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  if (!is_looping(clip) || !is_part_only(clip, report)) return 0;
  const double seconds = seconds_a_beat(show, clip, report);
  return std::isfinite(seconds) && seconds > 0 ? span_of(played_part(clip, report)) / seconds : 0;
}

LoopFit loop_fit(const show::Show& show, const show::Port& port, double beats,
                 const ClipReport& report) {
  const auto* clip = show.find_slot(port);
  const auto fit = beat_fit(show, clip, report);
  if (fit != LoopFit::fits) return fit;
  if (!is_in_bank(*clip, report)) return LoopFit::not_in_bank;
  if (!(beats > 0)) return LoopFit::no_length;
  const double seconds = loop_seconds(show, *clip, beats, report);
  if (seconds > report.end) return LoopFit::too_long;
  return seconds < kShortestLoopSeconds ? LoopFit::too_short : LoopFit::fits;
}

Result<Edit> loop_beats(const show::Show& show, const show::Port& port, double beats,
                        const ClipReport& report) {
  const auto* clip = show.find_slot(port);
  const double seconds = clip == nullptr ? 0 : loop_seconds(show, *clip, beats, report);
  const auto fit = loop_fit(show, port, beats, report);
  if (fit != LoopFit::fits) return refusal_of_loop(fit, port, beats, seconds, report);

  const double begin = begin_of_loop(*clip, report, seconds);
  const show::ClipPart part{begin, in_steps_of(begin + seconds, kLengthSteps)};
  EditGroup edits{fmt::format("{}: loop of {}", show::to_string(port), counted(beats)), {}};
  for (auto& edit : set_part(port, *clip, report.playing, part))
    edits.edits.emplace_back(std::move(edit));
  if (!is_looping(*clip)) edits.edits.emplace_back(set_clip(port, "loop", true));
  if (synced_beats(show, *clip, report) > 0)
    edits.edits.emplace_back(set_clip(port, show::kClipBeats, beats));
  return Edit(std::move(edits));
}

Result<Edit> end_loop(const show::Show& show, const show::Port& port, const ClipReport& report) {
  const auto slot = clip_at(show, port);
  SUBMIX_TRY(slot);
  const auto& clip = **slot;
  if (!is_in_bank(clip, report)) return not_in_bank(port, report);
  EditGroup edits{fmt::format("{}: plays whole", show::to_string(port)), {}};
  for (auto& edit : set_part(port, clip, report.playing, {}))
    edits.edits.emplace_back(std::move(edit));
  if (synced_beats(show, clip, report) > 0) {
    const double whole = std::round(report.end / seconds_a_beat(show, clip, report));
    edits.edits.emplace_back(
        set_clip(port, show::kClipBeats, std::clamp(whole, 1.0, show::kClipBeatsMax)));
  }
  return Edit(std::move(edits));
}

Result<Edit> sync_to_beats(const show::Show& show, const show::Port& port,
                           std::optional<double> beats, const ClipReport& report) {
  const auto* clip = show.find_slot(port);
  const auto fit = beat_fit(show, clip, report);
  if (fit != LoopFit::fits) return refusal_of_clip(fit, port, report);
  const double span = span_of(played_part(*clip, report));
  const double pace = beat_rate(show);
  double wanted = beats.value_or(0);
  if (!beats) {
    wanted = std::round(span / seconds_a_beat(show, *clip, report));
    wanted = std::clamp(wanted, 1.0, show::kClipBeatsMax);
    wanted = show::lasting_beats(wanted, span, pace);
  }
  const double lasting = show::lasting_beats(wanted, span, pace);
  if (lasting != wanted || wanted > show::kClipBeatsMax)
    return fail(
        "{}: {:.2f} s in {} would be {:.1f} times the recorded speed, more than "
        "{:g}; take {:g} beats",
        show::to_string(port), span, counted(wanted), span * pace / wanted, show::kClipSpeedMax,
        std::min(lasting, show::kClipBeatsMax));
  EditGroup edits{fmt::format("{}: lasts {}", show::to_string(port), counted(wanted)), {}};
  edits.edits.emplace_back(set_clip(port, show::kClipBeats, wanted));
  return Edit(std::move(edits));
}

Result<Edit> end_sync(const show::Show& show, const show::Port& port) {
  SUBMIX_TRY(clip_at(show, port));
  EditGroup edits{fmt::format("{}: plays as its speed says", show::to_string(port)), {}};
  edits.edits.emplace_back(SetParameter{port, std::string(show::kClipBeats), std::nullopt});
  return Edit(std::move(edits));
}

}  // namespace submix::model
