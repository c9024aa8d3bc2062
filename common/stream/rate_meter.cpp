// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/rate_meter.hpp"

#include <chrono>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

// A busy period's beginning: switches and shapers take a burst at once that they pass on slowly.
constexpr auto kSettleTime = 2ms;

// Long enough for several of TCP's bursts, short enough to see a change of rate within one frame.
constexpr auto kSampleTime = 4ms;

// Shorter than this, a lower bound says little.
constexpr auto kBoundTime = 1ms;

// TCP's acknowledgement of the last segments may be delayed; a link with no more than these is idle.
constexpr std::uint64_t kIdleBytes = 4096;

// A sample is half the truth; one far off is most likely a change, and nothing is gained by waiting.
constexpr double kWeight = 0.5;

// A link that stood still for long must not need as long to be believed in again.
constexpr double kLeastBytesPerSecond = 10'000;

}  // namespace

void RateMeter::observe(LocalTime now, const LinkLook& look) {
  const bool is_waiting = look.unsent_bytes > 0;
  if (look.queued_bytes <= kIdleBytes) {
    if (start_ && !start_->has_samples && now - start_->at >= kBoundTime)
      take_sample(rate_since_start(now, look), false);
    return start_.reset();
  }
  if (!start_) {
    start_ = Start{now, look.carried_bytes, true, false, is_waiting};
    return;
  }
  start_->was_always_waiting = start_->was_always_waiting && is_waiting;
  if (now - start_->at < (start_->is_beginning ? kSettleTime : kSampleTime)) return;
  const bool is_sample = !start_->is_beginning;
  if (is_sample) take_sample(rate_since_start(now, look), start_->was_always_waiting);
  if (is_sample && start_->was_always_waiting) measured_at_ = now;
  start_ = Start{now, look.carried_bytes, false, is_sample, is_waiting};
}

double RateMeter::rate_since_start(LocalTime now, const LinkLook& look) const {
  const auto bytes = static_cast<double>(look.carried_bytes - start_->carried_bytes);
  return bytes / std::chrono::duration<double>(now - start_->at).count();
}

void RateMeter::take_sample(double bytes_per_second, bool may_lower) {
  if (bytes_per_second < bytes_per_second_ && !may_lower) return;
  const double former = bytes_per_second_ > 0 ? bytes_per_second_ : bytes_per_second;
  bytes_per_second_ = former + kWeight * (bytes_per_second - former);
  if (bytes_per_second_ < kLeastBytesPerSecond) bytes_per_second_ = kLeastBytesPerSecond;
}

}  // namespace submix::stream
