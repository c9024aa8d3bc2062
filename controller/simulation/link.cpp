// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/link.hpp"

#include <algorithm>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;

constexpr double kStripeBytes = 60'000;
constexpr double kSegmentBytes = 1448;
constexpr double kQueueSeconds = 0.03;          // what a link is given at most, as real senders do
constexpr double kBadSpeed = 0.5;               // slower than that, something loses packets
constexpr double kLostShare = 0.02;             // of what a bad link carries
constexpr std::chrono::microseconds kWay(220);  // there and back, nothing queued

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
  if (speed_ < kBadSpeed) retransmitted_bytes_ += bytes * kLostShare;
  queue_bytes_ = has_more ? bytes_per_second() * kQueueSeconds : bytes;
  // A full link takes a part of its time to hand data over; in the rest nobody takes any.
  constexpr double kHandingOver = 0.2;
  const auto sending = part(time, has_more ? busy * kHandingOver : busy);
  sending_ += sending;
  if (has_more) {
    blocked_ += time - sending;
  } else {
    idle_ += time - sending;
  }
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
  const bool is_bad = speed_ < kBadSpeed;
  if (is_bad) reading.warning = "simulated: carries a tenth of what it did";
  reading.queue_limit_bytes = static_cast<std::uint64_t>(bytes_per_second() * kQueueSeconds);
  reading.queue_bytes = std::min(static_cast<std::uint64_t>(queue_bytes_), reading.queue_limit_bytes);
  reading.capacity_bytes_per_second = static_cast<std::uint64_t>(bytes_per_second());
  reading.round_trip = kWay + (is_bad ? part(std::chrono::seconds(1), kQueueSeconds) : nanoseconds(0));
  reading.bytes_retransmitted = static_cast<std::uint64_t>(retransmitted_bytes_);
  reading.segments_retransmitted = static_cast<std::uint64_t>(retransmitted_bytes_ / kSegmentBytes);
  return reading;
}

}  // namespace submix::simulation
