// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_deck.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/clip_part.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

struct BankedClip {
  show::Port port;
  const show::Slot* slot = nullptr;
  show::ClipBank bank;
};

Result<BankedClip> banked_clip(const show::Show& show, const show::Port& port) {
  const auto slot = clip_at(show, port);
  SUBMIX_TRY(slot);
  return BankedClip{port, *slot, show::clip_bank_of((*slot)->parameters)};
}

Result<void> check_clip(const BankedClip& clip, std::size_t number) {
  if (number >= 1 && number <= clip.bank.size()) return {};
  return fail("{}: its bank has no clip {}, only {}; add one", show::to_string(clip.port), number,
              clip.bank.size());
}

Result<void> check_name_in_bank(const std::string& file) {
  if (file.find('|') == std::string::npos) return {};
  return fail("{}: has | in its name, which parts the clips of a bank; rename the file", file);
}

SetParameter set_in(const BankedClip& clip, std::string_view name, show::ParameterValue value) {
  return {clip.port, std::string(name), std::move(value)};
}

double stated_number(const show::Slot& slot, std::string_view name, double initial) {
  return show::stated_value(slot.parameters, name, initial);
}

// The parameter's value at `frame`: a change for a later beat may be pending.
double present_number(const show::Slot& slot, std::string_view name, double initial,
                      FrameIndex frame) {
  const double stated = stated_number(slot, name, initial);
  const auto fade = slot.fades.find(name);
  return fade == slot.fades.end() ? stated : show::value_at(fade->second, stated, frame.value);
}

struct NumberChange {
  std::string_view name;
  double before;
  double after;
};

// Changes a parameter from a frame on; empty: at once.
EditGroup change_at(std::optional<FrameIndex> frame, const BankedClip& clip,
                    const NumberChange& change, std::string title) {
  EditGroup edits{std::move(title), {}};
  edits.edits.emplace_back(set_in(clip, change.name, change.after));
  std::optional<show::Fade> step;
  if (frame) step = show::Fade{change.before, frame->value - 1, 1};
  edits.edits.emplace_back(SetFade{clip.port, std::string(change.name), step});
  return edits;
}

// Each clip has its file and its part.
void state_bank(const BankedClip& clip, EditGroup& edits) {
  edits.edits.emplace_back(set_in(clip, show::kClipBank, show::bank_text(clip.bank)));
  if (auto parts = set_parts(clip.port, *clip.slot, clip.bank))
    edits.edits.emplace_back(*std::move(parts));
}

Edit set_points(const BankedClip& clip, const show::ClipBank& bank, std::string_view what) {
  EditGroup edits{fmt::format("{}: {}", show::to_string(clip.port), what), {}};
  edits.edits.emplace_back(set_in(clip, show::kClipPoints, show::points_text(bank)));
  return Edit(std::move(edits));
}

}  // namespace

std::string_view to_string(TakeTime time) {
  switch (time) {
    case TakeTime::at_once:
      return "at once";
    case TakeTime::next_beat:
      return "next beat";
    case TakeTime::next_bar:
      return "next bar";
  }
  return {};
}

std::optional<FrameIndex> frame_of_take(const show::Show& show, const TakeAt& at) {
  const double beats_a_second = show.tempo.beats_per_minute * show.tempo.master_speed / 60;
  if (at.time == TakeTime::at_once || !at.now || beats_a_second <= 0) return std::nullopt;
  const auto earliest = *at.now + kTakeAhead;
  const double beats = show::moment_at(show.tempo, earliest).beats;
  const double unit = at.time == TakeTime::next_bar ? show::kBarBeats : 1;
  const double wait = (std::ceil(beats / unit) * unit - beats) / beats_a_second;
  const auto due = earliest + std::chrono::nanoseconds(std::llround(wait * 1e9));
  const auto frame = show.rate.index_at(due);
  return show.rate.time_of(frame) < due ? frame.next() : frame;
}

Result<Edit> take_clip(const show::Show& show, const show::Port& port, std::size_t number,
                       const TakeAt& at) {
  const auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  SUBMIX_TRY(check_clip(*clip, number));
  const auto frame = frame_of_take(show, at);
  const auto now = at.now ? show.rate.index_at(*at.now) : FrameIndex{};
  const NumberChange change{.name = show::kBankClip,
                            .before = present_number(*clip->slot, show::kBankClip, 1, now),
                            .after = static_cast<double>(number)};
  return Edit(
      change_at(frame, *clip, change, fmt::format("{}: clip {}", show::to_string(port), number)));
}

Result<Edit> jump_to_point(const show::Show& show, const show::Port& port, std::size_t number,
                           const TakeAt& at) {
  const auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  if (number < 1 || number > show::kCuePointsMax)
    return fail("{}: cue point {} is not within 1 to {}", show::to_string(port), number,
                show::kCuePointsMax);
  auto frame = frame_of_take(show, at);
  // The number has to change for a jump, also to the same point again.
  if (!frame && at.now) frame = show.rate.index_at(*at.now + kTakeAhead).next();
  const NumberChange change{
      .name = show::kCuePoint, .before = 0, .after = static_cast<double>(number)};
  return Edit(change_at(frame, *clip, change,
                        fmt::format("{}: cue point {}", show::to_string(port), number)));
}

std::size_t wanted_clip(const show::Slot& clip) {
  const auto number = std::lround(stated_number(clip, show::kBankClip, 1));
  const auto last = static_cast<long>(show::clip_bank_of(clip.parameters).size());
  return number >= 1 && number <= last ? static_cast<std::size_t>(number) : 1;
}

Result<Edit> play_in_clip(const show::Show& show, const show::Port& port, const std::string& file) {
  auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  EditGroup edits{fmt::format("{}: {}", show::to_string(port), file), {}};
  if (const auto number = wanted_clip(*clip->slot); number > 1) {
    SUBMIX_TRY(check_name_in_bank(file));
    clip->bank[number - 1].file = file;
    clip->bank[number - 1].part = {};
    state_bank(*clip, edits);
  } else {
    for (auto& edit : set_part(port, *clip->slot, 1, {}))
      edits.edits.emplace_back(std::move(edit));
    edits.edits.emplace_back(SetParameter{port, "offset", std::nullopt});
    edits.edits.emplace_back(set_in(*clip, show::kClipFile, file));
  }
  edits.edits.emplace_back(SetBypass{port, false});  // a clip without its file was left out
  return Edit(std::move(edits));
}

Result<Edit> add_to_bank(const show::Show& show, const show::Port& port, const std::string& file) {
  auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  SUBMIX_TRY(check_name_in_bank(file));
  if (clip->bank.size() >= show::kBankClipsMax)
    return fail("{}: its bank is full, with {} clips; take one out", show::to_string(port),
                show::kBankClipsMax);
  clip->bank.push_back({file});
  EditGroup edits{fmt::format("{}: {} into the bank", show::to_string(port), file), {}};
  state_bank(*clip, edits);
  return Edit(std::move(edits));
}

Result<Edit> take_out_of_bank(const show::Show& show, const show::Port& port, std::size_t number) {
  auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  SUBMIX_TRY(check_clip(*clip, number));
  if (number == 1)
    return fail("{}: clip 1 is the slot's file; choose another file for it", show::to_string(port));
  const auto playing = std::lround(stated_number(*clip->slot, show::kBankClip, 1));
  if (playing == static_cast<long>(number))
    return fail("{}: clip {} plays; take another clip first", show::to_string(port), number);
  clip->bank.erase(clip->bank.begin() + static_cast<std::ptrdiff_t>(number) - 1);
  EditGroup edits{fmt::format("{}: clip {} out of the bank", show::to_string(port), number), {}};
  state_bank(*clip, edits);
  edits.edits.emplace_back(set_in(*clip, show::kClipPoints, show::points_text(clip->bank)));
  if (playing > static_cast<long>(number))
    edits.edits.emplace_back(set_in(*clip, show::kBankClip, static_cast<double>(playing - 1)));
  return Edit(std::move(edits));
}

Result<Edit> add_point(const show::Show& show, const show::Port& port, std::size_t number,
                       double seconds) {
  auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  SUBMIX_TRY(check_clip(*clip, number));
  auto& points = clip->bank[number - 1].points;
  if (points.size() >= show::kCuePointsMax)
    return fail("{}: clip {} has {} cue points already; forget one", show::to_string(port), number,
                show::kCuePointsMax);
  points.push_back(seconds);
  return set_points(*clip, clip->bank, fmt::format("cue point {}", points.size()));
}

Result<Edit> forget_point(const show::Show& show, const show::Port& port, std::size_t number,
                          std::size_t point) {
  auto clip = banked_clip(show, port);
  SUBMIX_TRY(clip);
  SUBMIX_TRY(check_clip(*clip, number));
  auto& points = clip->bank[number - 1].points;
  if (point < 1 || point > points.size())
    return fail("{}: clip {} has no cue point {}", show::to_string(port), number, point);
  points.erase(points.begin() + static_cast<std::ptrdiff_t>(point) - 1);
  return set_points(*clip, clip->bank, fmt::format("cue point {} forgotten", point));
}

}  // namespace submix::model
