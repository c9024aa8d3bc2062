// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/announce.hpp"

#include "common/show/clock_set_back.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

using std::chrono::milliseconds;

/// The announced time, and the tempos on both sides of it.
struct Announcement {
  milliseconds at;
  const Tempo& before;
  const Tempo& after;
};

bool is_one_shot(const Oscillator& oscillator) {
  return oscillator.waveform == Waveform::one_shot;
}

void begin_shot(Oscillator& shot, double start) {
  shot.start = start;
  shot.shots = std::max<std::int64_t>(shot.shots, 1);
}

// A one-shot of a show that was saved while it ran has a start other than 0; it is not begun again.
void announce_shot(const Oscillator* former, Oscillator& shot, const Announcement& announcement) {
  const double now = time_of(shot, moment_at(announcement.after, announcement.at));
  const bool has_former = former != nullptr && is_one_shot(*former);
  if (!has_former) {
    if (shot.shots == 0 || shot.start == 0.0) begin_shot(shot, now + shot.start);
    return;
  }
  if (shot.shots > former->shots) return begin_shot(shot, now);
  shot.shots = former->shots;
  shot.start = is_same_pace(shot, *former)
                   ? former->start
                   : now - periods_at(*former, moment_at(announcement.before, announcement.at)) *
                               period_of(shot);
}

// Keeps whole periods, too: a random waveform draws by the number of its period. A change of the
// stated phase is wanted, and adds to the shift.
void announce_pace(const Oscillator& former, Oscillator& next, const Announcement& announcement) {
  next.since = former.since;
  next.shift = former.shift;
  next.before = former.before;
  if (is_same_pace(former, next)) return;

  const auto since = begin_of_change(former.since, announcement.at);
  std::erase_if(next.before, [&](const FormerPace& pace) { return pace.since >= since; });
  if (former.since < since) {
    next.before.push_back(
        {former.since, former.frequency, former.beats, former.phase + former.shift});
    if (next.before.size() > kFormerPacesMax) next.before.erase(next.before.begin());
  }
  next.since = since;
  next.shift = 0.0;
  const double reached = periods_at(former, moment_at(announcement.before, since)) - former.phase;
  next.shift = reached + next.phase - periods_at(next, moment_at(announcement.after, since));
}

void announce_oscillator(const Oscillator* former, Oscillator& next,
                         const Announcement& announcement) {
  if (is_one_shot(next)) return announce_shot(former, next, announcement);
  const bool begins_anew =
      former == nullptr || is_one_shot(*former) || (next.is_on && !former->is_on);
  if (!begins_anew) return announce_pace(*former, next, announcement);
  next = stated(std::move(next));  // in step with all others
}

const Oscillator* find(const Slot* slot, const std::string& parameter) {
  if (slot == nullptr) return nullptr;
  const auto found = slot->oscillators.find(parameter);
  return found == slot->oscillators.end() ? nullptr : &found->second;
}

// After the cluster's clock was set back, a tempo that was announced just now begins earlier than
// the former one.
bool is_announced(const Tempo& former, const Tempo& next, milliseconds at) {
  if (next.since > former.since) return true;
  const bool is_recent = next.since != former.since && next.since + kAnnouncedAheadMax >= at;
  return is_recent && is_of_former_clock(former.since, at);
}

void announce_tempo(const Tempo& former, Tempo& next, milliseconds at) {
  const bool is_pending = next.since == former.since && is_same_pace(former, next);
  if (is_pending || is_announced(former, next, at)) return;
  next = is_same_pace(former, next) ? former
                                    : changed(former, next.beats_per_minute, next.master_speed, at);
}

}  // namespace

Oscillator stated(Oscillator oscillator) {
  if (is_one_shot(oscillator) && oscillator.shots > 0) oscillator.start = 0.0;
  oscillator.since = milliseconds(0);
  oscillator.shift = 0.0;
  oscillator.before.clear();
  return oscillator;
}

void announce(const Show* before, Show& after, milliseconds at) {
  if (before != nullptr) announce_tempo(before->tempo, after.tempo, at);
  const Announcement announcement{at, before == nullptr ? after.tempo : before->tempo, after.tempo};
  for (auto& submix : after.submixes) {
    for (auto& slot : submix.slots) {
      const auto* former =
          before == nullptr ? nullptr : before->find_slot({submix.name, slot.name});
      for (auto& [parameter, oscillator] : slot.oscillators) {
        const auto* known = find(former, parameter);
        const bool is_opened = before == nullptr && !is_one_shot(oscillator);
        if (!is_opened && (known == nullptr || *known != oscillator))
          announce_oscillator(known, oscillator, announcement);
      }
    }
  }
}

bool needs_announcement(const Show* before, const Show& after) {
  constexpr milliseconds kLater = std::chrono::hours(24 * 365 * 100);
  auto announced = after;
  announce(before, announced, kLater);
  return announced != after;
}

}  // namespace submix::show
