// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/stream.hpp"

#include "common/base/host_port.hpp"
#include "common/show/lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::simulation {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t kCredits = 4;
constexpr double kSpareCapacity = 1.3;  // times the show's rate: a slowed link has an effect
constexpr double kHeaderShare = 1.0008;
constexpr std::size_t kEpochsKept = 8;  // as many as real ends keep
constexpr std::chrono::seconds kAttachAfter(1);

}  // namespace

Stream::Stream(const show::Show& show, show::Stream stream, const CardAddresses& ends)
    : stated_(std::move(stream)), frame_bytes_(show::frame_bytes(show, stated_) * kHeaderShare) {
  const double needed = frame_bytes_ * show.rate.frames_per_second() * kSpareCapacity;
  if (ends.from.empty() || ends.to.empty()) {
    constexpr double kMemoryBytesPerSecond = 4e9;
    links_.emplace_back(0, std::max(needed, kMemoryBytesPerSecond));
    links_.back().set_ends("shared memory", "shared memory");
    return;
  }
  const auto count =
      stated_.routes.empty() ? stated_.link_count : static_cast<int>(stated_.routes.size());
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const double speed =
        ends.cable_bytes_per_second > 0 ? ends.cable_bytes_per_second : needed / count;
    links_.emplace_back(static_cast<std::uint32_t>(i), speed);
    const bool has_route = !stated_.routes.empty();
    const auto from = has_route ? stated_.routes[place].from : ends.from[place % ends.from.size()];
    const auto to = has_route ? stated_.routes[place].to : ends.to[place % ends.to.size()];
    links_.back().set_ends(to_string(HostPort{from, static_cast<std::uint16_t>(40'000 + i)}),
                           to_string(HostPort{to, 7400}));
  }
}

bool Stream::has_credit() const {
  return are_both_alive_ && in_flight() < kCredits;
}

bool Stream::may_send() const {
  return sender_.is_detached || stated_.policy == show::InputPolicy::latest || has_credit();
}

// Without credit the oldest frame that no link has begun is replaced; its number and its waiting
// time stay.
void Stream::send(LocalTime now) {
  ++sender_.produced;
  sender_.held_up = nanoseconds(0);
  if (!has_credit()) {
    ++now_.skipped;
    if (sender_.is_detached) ++now_.skipped_detached;
    return;
  }
  ++now_.numbered;
  taken_at_.push_back(now);
}

void Stream::hold_up(nanoseconds time, bool has_other_streams) {
  sender_.held_up = has_other_streams ? sender_.held_up + time : nanoseconds(0);
  sender_.blocked += time;
  if (has_other_streams && sender_.held_up >= stated_.pause_budget) sender_.is_detached = true;
}

void Stream::succeed(const Stream& former) {
  now_ = former.now_;
  age_ = former.age_;
  delay_ = former.delay_;
  taken_at_ = former.taken_at_;
  sender_ = former.sender_;
  receiver_ = former.receiver_;
  latencies_ = former.latencies_;
}

void Stream::restart_sender() {
  auto& ended = receiver_.epochs;
  ended.push_back(receiver_epoch());
  if (ended.size() >= kEpochsKept) {
    receiver_.forgotten += ended.front().next_frame - ended.front().first_frame;
    ended.erase(ended.begin());
  }
  const auto next = now_.number + 1;
  now_ = Epoch();
  now_.number = next;
  sender_ = {};
  taken_at_.clear();
}

// Links finish a frame together, so each carries a share in proportion to its speed.
void Stream::carry(nanoseconds time) {
  age_ += time;
  double speed = 0;
  for (const auto& link : links_)
    speed += link.bytes_per_second();
  const double seconds = std::chrono::duration<double>(time).count();
  const double waiting =
      static_cast<double>(now_.numbered - now_.arrived) * frame_bytes_ - now_.head_bytes;
  const double carried = are_both_alive_ ? std::clamp(waiting, 0.0, speed * seconds) : 0.0;
  const bool has_more = waiting - carried > frame_bytes_;  // a single frame is no backlog
  for (auto& link : links_)
    link.carry(speed > 0 ? carried * link.bytes_per_second() / speed : 0.0, has_more, time);
  now_.head_bytes += carried;
  while (now_.arrived < now_.numbered && now_.head_bytes >= frame_bytes_ * (1 - 1e-9)) {
    now_.head_bytes = std::max(0.0, now_.head_bytes - frame_bytes_);
    ++now_.arrived;
    now_.carried_at.push_back(age_);
  }
  if (!sender_.is_detached) return;
  sender_.credit_for = has_credit() ? sender_.credit_for + time : nanoseconds(0);
  if (sender_.credit_for < kAttachAfter) return;
  sender_.is_detached = false;
  sender_.credit_for = sender_.held_up = nanoseconds(0);
}

void Stream::take(LocalTime now) {
  ++now_.released;
  now_.carried_at.pop_front();
  ++receiver_.received;
  receiver_.starved_for = nanoseconds(0);
  if (taken_at_.empty()) return;
  latencies_->add(now - taken_at_.front());
  taken_at_.pop_front();
}

void Stream::starve(nanoseconds time) {
  receiver_.starved += time;
  receiver_.starved_for += time;
}

bool Stream::may_repeat() const {
  const bool waits =
      stated_.policy == show::InputPolicy::wait || stated_.policy == show::InputPolicy::latest;
  return !waits && receiver_.starved_for >= stated_.pause_budget;
}

void Stream::restart_receiver() {
  now_.first = now_.released;
  now_.arrived = now_.released;  // frames that had arrived are sent again
  now_.carried_at.clear();
  now_.head_bytes = 0;
  receiver_ = {};
}

void Stream::set_ends_alive(bool is_sender_alive, bool is_receiver_alive) {
  const bool are_both = is_sender_alive && is_receiver_alive;
  if (are_both == are_both_alive_) return;
  are_both_alive_ = are_both;
  for (auto& link : links_)
    link.set_trouble(are_both ? "" : "simulated: no answer from the other node within 500 ms");
}

telemetry::EpochReading Stream::sender_epoch() const {
  return {.epoch = now_.number,
          .next_frame = now_.numbered,
          .frames_acknowledged = now_.released,
          .frames_skipped = now_.skipped,
          .frames_skipped_detached = now_.skipped_detached};
}

telemetry::EpochReading Stream::receiver_epoch() const {
  return {.epoch = now_.number, .first_frame = now_.first, .next_frame = now_.released};
}

telemetry::StreamReading Stream::reading(bool is_sender, const std::string& peer) const {
  telemetry::StreamReading reading;
  reading.stream = stated_.name;
  reading.peer = peer;
  reading.is_sender = is_sender;
  reading.epoch = now_.number;
  for (const auto& link : links_) {
    reading.links.push_back(link.reading(is_sender));
    if (stated_.is_encrypted && reading.links.back().local != telemetry::kSharedMemory)
      reading.links.back().protection = Protection::aes_256_gcm;
  }
  if (is_sender) {
    reading.frames = now_.released;
    reading.frames_produced = sender_.produced;
    reading.frames_skipped = now_.skipped;
    reading.frames_queued = static_cast<std::uint32_t>(in_flight());
    reading.frames_unsent = static_cast<std::uint32_t>(now_.numbered - now_.arrived);
    if (now_.head_bytes > 0 && reading.frames_unsent > 0) --reading.frames_unsent;
    reading.credits = has_credit() ? static_cast<std::uint32_t>(kCredits - in_flight()) : 0;
    reading.blocked = sender_.blocked;
    reading.latency = latencies_->reading();
    reading.round_trip = std::chrono::microseconds(180);
    if (sender_.is_detached)
      reading.detached =
          fmt::format("simulated: node {} took no frame for {} ms; it is passed by until it does",
                      peer, stated_.pause_budget.count());
    reading.epochs = {sender_epoch()};
    return reading;
  }
  reading.frames = reading.frames_produced = receiver_.received;
  reading.frames_duplicated = receiver_.duplicated;
  reading.frames_queued = static_cast<std::uint32_t>(now_.arrived - now_.released);
  reading.frames_forgotten = receiver_.forgotten;
  reading.blocked = receiver_.starved;
  reading.epochs = receiver_.epochs;
  reading.epochs.push_back(receiver_epoch());
  return reading;
}

}  // namespace submix::simulation
