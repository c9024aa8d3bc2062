// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/rate_meter.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

// Left out at the beginning of a busy period. Switches and shapers accept a burst at once and pass
// it on slowly.
constexpr auto kSettleTime = 1ms;

// Long enough for several lumps of TCP, short enough to see a change of rate within one frame.
constexpr auto kSampleTime = 4ms;

// The end of a share may cut a sample short. A sample shorter than this is ignored.
constexpr auto kShortSampleTime = 1500us;

// A lower bound measured over less time than this is ignored.
constexpr auto kBoundTime = 1ms;

// TCP may delay its acknowledgement of the last segments. A link with no more bytes than this is
// idle.
constexpr std::uint64_t kIdleBytes = 4096;

// The kernel hands over this many bytes at once, and they are acknowledged at once. At the
// beginning of a busy period they may be bytes of the former one, or a shaper's burst.
constexpr double kLumpBytes = 64 * 1024;

// Weights of a full sample. A sample far from the rate is most likely a real change, and waiting
// gains nothing. A near sample is most likely noise.
constexpr double kWeight = 0.5;
constexpr double kNear = 0.3;
constexpr double kNearWeight = 0.3;

// Lower limit of the rate. A link that stalled for a long time must not need as long to recover.
constexpr double kLeastBytesPerSecond = 10'000;

[[nodiscard]] double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

double RateMeter::Sample::bytes_until(const Mark& end) const {
  return static_cast<double>(end.bytes - begin.bytes);
}

double RateMeter::Sample::bytes_per_second_until(const Mark& end) const {
  return bytes_until(end) / seconds(time_until(end));
}

void RateMeter::observe(LocalTime now, const LinkObservation& link) {
  const Mark mark{now, link.carried_bytes};
  if (link.queued_bytes <= kIdleBytes) return end_period(mark);
  if (!sample_) given_first_ = given_end_;
  remember_given(now, link);
  if (!sample_) return begin_sample(mark, true);

  const bool has_moved = mark.bytes > sample_->last_move.bytes;
  const bool is_young = sample_->is_beginning && sample_->time_until(mark) <= link.round_trip;
  sample_->is_full = sample_->is_full && (is_young || is_full(now, link));
  if (has_moved) sample_->last_move = mark;
  if (has_moved && sample_->is_full) sample_->last_full_move = mark;

  if (!has_moved) return stand_still(now - link.round_trip);
  if (sample_->time_until(mark) <
      (sample_->is_beginning ? kSettleTime + link.round_trip : kSampleTime))
    return;
  if (!sample_->is_beginning) end_sample();
  begin_sample(mark, false);
}

void RateMeter::begin_sample(const Mark& mark, bool is_beginning) {
  sample_ = Sample{.begin = mark,
                   .is_beginning = is_beginning,
                   .last_move = mark,
                   .last_full_move = mark,
                   .lowered = mark.at};
}

/// Keeps the entries far enough apart that one round trip fits the ring.
void RateMeter::remember_given(LocalTime now, const LinkObservation& link) {
  const auto pause = link.round_trip / (given_.size() / 2);
  if (given_end_ != given_first_ && now - given_[(given_end_ - 1) % given_.size()].at < pause)
    return;
  given_[given_end_++ % given_.size()] = {now, link.carried_bytes + link.queued_bytes};
  given_first_ = std::max(given_first_ + given_.size(), given_end_) - given_.size();
}

/// Whether the path was the limit: when the bytes that have now arrived left this machine, more
/// bytes waited behind them. On a short path, bytes that wait now prove the same. On a long path
/// they do not if nothing is known to have waited at that time: they are of the next frame.
bool RateMeter::is_full(LocalTime now, const LinkObservation& link) {
  const bool is_short = link.round_trip <= kSettleTime;
  if (is_short && link.unsent_bytes > 0) return true;
  if (link.round_trip <= std::chrono::nanoseconds::zero()) return false;

  while (given_first_ + 1 < given_end_ &&
         given_[(given_first_ + 1) % given_.size()].at <= now - link.round_trip)
    ++given_first_;

  const auto has_left_a_queue = [&](const Mark& given) {
    return given.bytes > link.carried_bytes + kIdleBytes;
  };
  const auto& given = given_[given_first_ % given_.size()];
  if (given.at <= now - link.round_trip && has_left_a_queue(given)) return true;

  const bool is_next_known = given_first_ + 1 < given_end_;
  const auto& next = given_[(given_first_ + 1) % given_.size()];
  return link.unsent_bytes > 0 && (!is_next_known || has_left_a_queue(next));
}

void RateMeter::end_sample() {
  const auto full_time = sample_->time_until(sample_->last_full_move);
  if (full_time >= kShortSampleTime) {
    approach(sample_->bytes_per_second_until(sample_->last_full_move),
             kWeight * std::min(1.0, seconds(full_time) / seconds(kSampleTime)));
    measured_at_ = sample_->last_full_move.at;
    full_.bytes += sample_->last_full_move.bytes - sample_->begin.bytes;
    full_.time += full_time;
  } else if (sample_->time_until(sample_->last_move) >= kBoundTime) {
    raise_to(sample_->bytes_per_second_until(sample_->last_move));
  }
}

void RateMeter::end_period(const Mark& mark) {
  if (!sample_) return;
  if (!sample_->is_beginning) {
    end_sample();
  } else if (sample_->time_until(mark) >= kBoundTime && sample_->bytes_until(mark) > kLumpBytes) {
    raise_to((sample_->bytes_until(mark) - kLumpBytes) / seconds(sample_->time_until(mark)));
  }
  sample_.reset();
}

/// Lowers the rate of a link on which a lump has been in flight for too long.
void RateMeter::stand_still(LocalTime now) {
  if (!sample_->is_full || now - std::max(sample_->last_move.at, sample_->lowered) < kSampleTime)
    return;
  sample_->lowered = now;
  const auto possible = kLumpBytes / seconds(now - sample_->last_move.at);
  if (bytes_per_second_ <= possible) return;
  bytes_per_second_ = std::max({bytes_per_second_ / 2, possible, kLeastBytesPerSecond});
  measured_at_ = now;
}

void RateMeter::raise_to(double bytes_per_second) {
  if (bytes_per_second > bytes_per_second_) approach(bytes_per_second, kWeight);
}

void RateMeter::approach(double bytes_per_second, double weight) {
  if (bytes_per_second_ <= 0) bytes_per_second_ = bytes_per_second;
  const auto difference = bytes_per_second - bytes_per_second_;
  const bool is_near = std::abs(difference) < kNear * bytes_per_second_;
  bytes_per_second_ += weight * (is_near ? kNearWeight : 1) * difference;
  bytes_per_second_ = std::max(bytes_per_second_, kLeastBytesPerSecond);
}

}  // namespace submix::stream
