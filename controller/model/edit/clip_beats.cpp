// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_beats.hpp"

#include "common/show/clip_beats.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"

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

bool is_part_only(const show::Slot& clip, const ClipReport& report) {
  const auto part = played_part(clip, report);
  return part.begin > 0 || part.end < report.end;
}

// A beat of the show in seconds of the clip, whatever its direction.
double seconds_a_beat(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  const double synced = synced_beats(show, clip, report);
  if (synced > 0) return played_part(clip, report).span() / synced;
  const double speed = number_in(clip, "speed", 1);
  return (speed == 0 ? 1 : std::abs(speed)) / beat_rate(show);
}

Result<const show::Slot*> clip_at(const show::Show& show, const show::Port& port) {
  const auto* slot = show.find_slot(port);
  if (slot == nullptr || slot->plugin != "clip")
    return fail("{}: is no clip; choose a layer that plays one", show::to_string(port));
  return slot;
}

Result<const show::Slot*> told_clip(const show::Show& show, const show::Port& port,
                                    const ClipReport& report) {
  auto slot = clip_at(show, port);
  SUBMIX_TRY(slot);
  if (report.end <= 0)
    return fail("{}: its length is not known; wait until its node plays it", show::to_string(port));
  if (!(beat_rate(show) > 0))
    return fail("{}: the beats stand still; set a tempo, and a speed of the show above 0",
                show::to_string(port));
  return slot;
}

Result<void> check_loop(const show::Port& port, double beats, double seconds,
                        const ClipReport& report) {
  const auto about = show::to_string(port);
  if (report.playing != 1)
    return fail("{}: clip {} of the bank plays whole: in and out points are of clip 1; play clip 1",
                about, report.playing);
  if (!(beats > 0)) return fail("{}: a loop of {:g} beats has no length; take more", about, beats);
  if (seconds > report.end)
    return fail(
        "{}: a loop of {} has {:.2f} s, and the clip has {:.2f} s; take fewer beats, or a faster "
        "tempo",
        about, counted(beats), seconds, report.end);
  if (seconds < kShortestLoopSeconds)
    return fail(
        "{}: a loop of {} has {:.3f} s, less than {:g} s; take more beats, or a slower tempo",
        about, counted(beats), seconds, kShortestLoopSeconds);
  return {};
}

double in_steps_of(double value, double steps) {
  return std::round(value * steps) / steps;
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

ClipPart played_part(const show::Slot& clip, const ClipReport& report) {
  if (report.playing != 1) return {0, report.end};
  const double out = number_in(clip, "out", 0);
  const double end = out > 0 ? std::min(out, report.end) : report.end;
  return {std::clamp(number_in(clip, "in", 0), 0.0, end), end};
}

double synced_beats(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  return show::lasting_beats(number_in(clip, show::kClipBeats, 0), played_part(clip, report).span(),
                             beat_rate(show));
}

double played_speed(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  const double speed = number_in(clip, "speed", 1);
  const double synced = synced_beats(show, clip, report);
  if (synced == 0 || speed == 0) return speed;
  const double pace = played_part(clip, report).span() / synced * beat_rate(show);
  return speed > 0 ? pace : -pace;
}

double looped_beats(const show::Show& show, const show::Slot& clip, const ClipReport& report) {
  if (!is_looping(clip) || !is_part_only(clip, report)) return 0;
  const double seconds = seconds_a_beat(show, clip, report);
  return std::isfinite(seconds) && seconds > 0 ? played_part(clip, report).span() / seconds : 0;
}

Result<Edit> loop_beats(const show::Show& show, const show::Port& port, double beats,
                        const ClipReport& report) {
  const auto clip = told_clip(show, port, report);
  SUBMIX_TRY(clip);
  const auto& slot = **clip;
  const double seconds = in_steps_of(beats * seconds_a_beat(show, slot, report), kLengthSteps);
  SUBMIX_TRY(check_loop(port, beats, seconds, report));

  const double begin = begin_of_loop(slot, report, seconds);
  EditGroup edits{fmt::format("{}: loop of {}", show::to_string(port), counted(beats)), {}};
  edits.edits.emplace_back(set_clip(port, "in", begin));
  edits.edits.emplace_back(set_clip(port, "out", in_steps_of(begin + seconds, kLengthSteps)));
  if (!is_looping(slot)) edits.edits.emplace_back(set_clip(port, "loop", true));
  if (synced_beats(show, slot, report) > 0)
    edits.edits.emplace_back(set_clip(port, show::kClipBeats, beats));
  return Edit(std::move(edits));
}

Result<Edit> end_loop(const show::Show& show, const show::Port& port, const ClipReport& report) {
  const auto slot = clip_at(show, port);
  SUBMIX_TRY(slot);
  EditGroup edits{fmt::format("{}: plays whole", show::to_string(port)), {}};
  for (const auto* point : {"in", "out"})
    edits.edits.emplace_back(SetParameter{port, point, std::nullopt});
  if (synced_beats(show, **slot, report) > 0) {
    const double whole = std::round(report.end / seconds_a_beat(show, **slot, report));
    edits.edits.emplace_back(
        set_clip(port, show::kClipBeats, std::clamp(whole, 1.0, show::kClipBeatsMax)));
  }
  return Edit(std::move(edits));
}

Result<Edit> sync_to_beats(const show::Show& show, const show::Port& port,
                           std::optional<double> beats, const ClipReport& report) {
  const auto clip = told_clip(show, port, report);
  SUBMIX_TRY(clip);
  const double span = played_part(**clip, report).span();
  const double pace = beat_rate(show);
  double wanted = beats.value_or(0);
  if (!beats) {
    wanted = std::round(span / seconds_a_beat(show, **clip, report));
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
