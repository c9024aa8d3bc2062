// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/peer_clock.hpp"

#include <algorithm>

namespace submix::stream {

void PeerClock::observe(LocalTime sent, std::chrono::nanoseconds theirs, LocalTime received) {
  const auto round_trip = std::chrono::nanoseconds(received - sent);
  if (round_trip.count() < 0) return;
  const auto middle = std::chrono::nanoseconds(sent.time_since_epoch()) + round_trip / 2;
  answers_[count_++ % kKept] = {round_trip, theirs - middle};
}

const PeerClock::Answer* PeerClock::best() const {
  const auto end = answers_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, kKept));
  const auto found = std::min_element(answers_.begin(), end, [](const Answer& a, const Answer& b) {
    return a.round_trip < b.round_trip;
  });
  return found == end ? nullptr : &*found;
}

std::optional<std::chrono::nanoseconds> PeerClock::offset() const {
  const auto* answer = best();
  if (answer == nullptr) return std::nullopt;
  return answer->offset;
}

std::optional<LocalTime> PeerClock::local_time_of(std::chrono::nanoseconds theirs) const {
  const auto known = offset();
  if (!known) return std::nullopt;
  return LocalTime(std::chrono::duration_cast<LocalTime::duration>(theirs - *known));
}

std::chrono::nanoseconds PeerClock::round_trip() const {
  const auto* answer = best();
  return answer == nullptr ? std::chrono::nanoseconds(0) : answer->round_trip;
}

}  // namespace submix::stream
