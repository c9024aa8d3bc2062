// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/decode_ahead.hpp"

#include "common/base/thread.hpp"

#include <time.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace submix::io {
namespace {

constexpr int kFramesLeftOutMax = 8;  // a clip leaves out frames while a picture is late
constexpr double kSameMomentSeconds = 1e-4;

/// How many frames lead from one course to the next. Empty: the clip has jumped.
std::optional<int> frames_between(const Course& before, const Course& now) {
  const bool is_same_part = before.in_seconds == now.in_seconds &&
                            before.out_seconds == now.out_seconds &&
                            before.is_looping == now.is_looping;
  if (!is_same_part) return std::nullopt;
  for (int frames = 0; frames <= kFramesLeftOutMax; ++frames) {
    const auto moment = before.moment(frames);
    if (moment && std::abs(*moment - now.seconds) < kSameMomentSeconds) return frames;
  }
  return std::nullopt;
}

// Of all threads: a codec may have some of its own.
std::chrono::nanoseconds process_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

DecodeAhead::DecodeAhead(std::unique_ptr<Playhead> playhead, std::size_t bytes_max)
    : playhead_(std::move(playhead)), store_(bytes_max) {
  look_at_file();
  report_.codec = playhead_->codec();
  report_.series = playhead_->series();
  thread_ = start_thread("decode", [this](const std::stop_token& stop) { run(stop); });
}

DecodeAhead::Found DecodeAhead::find(const Course& course, bool may_hold,
                                     const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  follow(course);
  const auto* found = store_.at(course.seconds);
  if (found == nullptr && !may_hold) {
    static_cast<void>(changed_.wait(mutex_, stop, [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
      found = store_.at(course.seconds);
      return found != nullptr;
    }));
  }
  const bool is_late = found == nullptr;
  if (is_late) found = store_.latest_passed(course, frames_since_jump_);
  return {found == nullptr ? nullptr : found->picture, is_late};
}

void DecodeAhead::follow(const Course& course) {
  const auto frames = frames_between(course_, course);
  frames_since_jump_ = frames ? frames_since_jump_ + *frames : 0;
  course_ = course;
  changed_.notify_all();
}

SourceReport DecodeAhead::report() const {
  const MutexLock lock(mutex_);
  auto report = report_;
  if (step_begun_) report.stuck = std::chrono::steady_clock::now() - *step_begun_;
  return report;
}

void DecodeAhead::run(const std::stop_token& stop) {
  while (!stop.stop_requested())
    take(next_choice(stop));
}

ReadPlan::Choice DecodeAhead::next_choice(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  ReadPlan::Choice choice;
  static_cast<void>(changed_.wait(mutex_, stop, [&]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS {
    choice = plan_.choose(store_, course_, *playhead_);
    return choice.step != ReadPlan::Step::rest;
  }));
  step_begun_ = std::chrono::steady_clock::now();
  cpu_time_before_ = process_cpu_time();
  return choice;
}

void DecodeAhead::take(const ReadPlan::Choice& choice) {
  std::optional<Stretch> stretch;
  if (choice.step == ReadPlan::Step::seek) playhead_->seek(choice.seconds);
  if (choice.step == ReadPlan::Step::read_on) stretch = playhead_->read_on();

  const MutexLock lock(mutex_);
  report_.decoding += std::chrono::steady_clock::now() - *step_begun_;
  report_.decoding_cpu += process_cpu_time() - cpu_time_before_;
  step_begun_.reset();
  look_at_file();
  if (stretch) {
    ++report_.decoded;
    store_.add(std::move(*stretch), course_);
  }
  changed_.notify_all();
}

void DecodeAhead::look_at_file() {
  report_.length = playhead_->length();
  report_.missing_seconds = playhead_->missing_seconds();
  report_.damaged_at = playhead_->damaged_at();
  report_.faults = playhead_->faults();
}

}  // namespace submix::io
