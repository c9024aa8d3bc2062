// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/link.hpp"

#include <algorithm>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;

constexpr double kStripeBytes = 60'000;
constexpr double kSegmentBytes = 1448;
constexpr double kQueueSeconds = 0.03;  // most data queued for a link, as real senders do
constexpr double kLostShare = 0.02;     // of the bytes that a slowed link carries
constexpr double kBusyMin = 0.01;  // of a second: how long a real sender needs to measure a link
constexpr int kHopeMax = 3;        // times as fast: real senders try a slow link again
constexpr std::chrono::microseconds kRoundTrip(220);  // round trip with empty queues

nanoseconds part(nanoseconds time, double share) {
  return nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * share));
}

}  // namespace

void Link::set_ends(std::string local, std::string remote) {
  local_ = std::move(local);
  remote_ = std::move(remote);
}

void Link::set_trouble(std::string why) {
  if (!trouble_.empty() && why.empty()) ++reconnects_;
  trouble_ = std::move(why);
}

void Link::carry(double bytes, bool has_more, nanoseconds time) {
  const double room = bytes_per_second() * std::chrono::duration<double>(time).count();
  const double busy = room > 0 ? std::min(1.0, bytes / room) : 0.0;
  bytes_ += bytes;
  second_bytes_ += bytes;
  second_ += time;
  if (second_ >= std::chrono::seconds(1)) end_second();
  if (is_slowed()) retransmitted_bytes_ += bytes * kLostShare;
  queue_bytes_ = has_more ? bytes_per_second() * kQueueSeconds : bytes;
  // A full link spends a part of its time handing data over, and is blocked for the rest. A slow
  // link is slowed somewhere on its path, with the queue in front of that place: the sender has
  // handed over everything and idles.
  constexpr double kHandingOver = 0.2;
  const bool is_blocked = has_more && !is_slowed();
  const auto sending = part(time, has_more || is_slowed() ? busy * kHandingOver : busy);
  sending_ += sending;
  (is_blocked ? blocked_ : idle_) += time - sending;
}

void Link::end_second() {
  const double rate = std::exchange(second_bytes_, 0.0) /
                      std::chrono::duration<double>(std::exchange(second_, nanoseconds(0))).count();
  greatest_ = std::max(greatest_, rate);
  if (rate > limit_) limit_ = 0;
  if (bytes_per_second() > 0 && rate / bytes_per_second() >= kBusyMin) limit_ = bytes_per_second();
  hope_ = is_slowed() && hope_ < kHopeMax ? hope_ + 1 : 1;
}

telemetry::LinkReading Link::reading(bool is_sender) const {
  telemetry::LinkReading reading;
  reading.index = index_;
  reading.state = is_open() ? telemetry::LinkState::open : telemetry::LinkState::connecting;
  reading.local = is_sender ? local_ : remote_;
  reading.remote = is_sender ? remote_ : local_;
  reading.error = trouble_;
  reading.bytes = static_cast<std::uint64_t>(bytes_);
  reading.stripes = static_cast<std::uint64_t>(bytes_ / kStripeBytes);
  reading.reconnects = reconnects_;
  reading.sending = sending_;
  reading.blocked = blocked_;
  reading.idle = idle_;
  if (!is_sender) return reading;
  reading.queue_limit_bytes = static_cast<std::uint64_t>(bytes_per_second() * kQueueSeconds);
  reading.queue_bytes =
      std::min(static_cast<std::uint64_t>(queue_bytes_), reading.queue_limit_bytes);
  reading.greatest_bytes_per_second = static_cast<std::uint64_t>(greatest_);
  reading.limit_bytes_per_second = static_cast<std::uint64_t>(limit_);
  reading.capacity_bytes_per_second = static_cast<std::uint64_t>(bytes_per_second() * hope_);
  reading.round_trip =
      kRoundTrip + (is_slowed() ? part(std::chrono::seconds(1), kQueueSeconds) : nanoseconds(0));
  reading.bytes_retransmitted = static_cast<std::uint64_t>(retransmitted_bytes_);
  reading.segments_retransmitted = static_cast<std::uint64_t>(retransmitted_bytes_ / kSegmentBytes);
  return reading;
}

}  // namespace submix::simulation
