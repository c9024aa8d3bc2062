// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/frame_window.hpp"

#include <algorithm>
#include <utility>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kOnTime = 500us;  // a thread's wake-up is not lateness
constexpr std::chrono::nanoseconds kPatienceMax = 32s;
constexpr std::uint64_t kFramesMin = 8;  // beyond those that were under way at the last change

}  // namespace

// Frames that were under way at the last change say nothing about the present window.
bool FrameWindow::note(std::chrono::nanoseconds spare, LocalTime now) {
  ++frames_since_change_;
  if (has_stood_still(now)) {
    evidence_ = {};
    return false;
  }
  if (spare < -kOnTime) return frames_since_change_ > frames_ && widen(now);
  if (evidence_.frames == 0) evidence_.since = now;
  ++evidence_.frames;
  evidence_.least_spare = std::min(evidence_.least_spare, spare);
  if (evidence_.frames >= kFramesMin)
    period_ = (now - evidence_.since) / static_cast<std::int64_t>(evidence_.frames - 1);
  return narrow(now);
}

// No window would help against a gap that is longer than the widest window.
bool FrameWindow::has_stood_still(LocalTime now) {
  const auto gap = now - std::exchange(noted_at_, now);
  return period_.count() > 0 && gap > static_cast<std::int64_t>(most_ + 2) * period_;
}

bool FrameWindow::widen(LocalTime now) {
  evidence_ = {};
  const bool was_wrong = narrowed_at_ != LocalTime{} && now - narrowed_at_ < 2 * patience_;
  if (was_wrong) patience_ = std::min(2 * patience_, kPatienceMax);
  narrowed_at_ = {};
  if (frames_ == most_) return false;
  ++frames_;
  frames_since_change_ = 0;
  return true;
}

bool FrameWindow::narrow(LocalTime now) {
  if (now - evidence_.since < patience_ || evidence_.frames < frames_ + kFramesMin) return false;

  const auto too_many =
      period_.count() > 0 ? (evidence_.least_spare - period_ / 4) / period_ : std::int64_t{0};
  evidence_ = {};
  if (now - narrowed_at_ > kPatienceMax) patience_ = patience_least_;
  if (too_many <= 0 || frames_ == least_) return false;

  frames_ -= std::min(frames_ - least_, static_cast<std::uint64_t>(too_many));
  narrowed_at_ = now;
  frames_since_change_ = 0;
  return true;
}

void FrameWindow::set_limits(std::uint64_t least, std::uint64_t most) {
  frames_ = frames_ == most_ ? most : std::clamp(frames_, least, most);
  least_ = least;
  most_ = most;
}

void FrameWindow::begin_anew() {
  frames_ = most_;
  evidence_ = {};
  narrowed_at_ = {};
  frames_since_change_ = 0;
}

}  // namespace submix::stream
