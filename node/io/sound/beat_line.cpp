// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/beat_line.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace submix::io {
namespace {

constexpr std::size_t kBeatsOfFit = 4;      // with fewer beats the tracker's period counts
constexpr double kSameBeat = 0.3;           // the same beat again, of a period
constexpr double kOffLine = 0.15;           // of a period
constexpr double kSamePeriod = 0.1;         // a share
constexpr double kNumbersMissingMax = 4.0;  // a tracker loses a beat now and then

}  // namespace

void BeatLine::add(double seconds, double period) {
  if (period <= 0.0) return clear();
  if (size_ == 0) return append({seconds, 0.0});
  const auto& newest = beats_[size_ - 1];
  const auto line = size_ < kBeatsOfFit ? Fit{period, newest.seconds} : fit();
  const double passed = seconds - line.last;
  if (std::abs(passed) < kSameBeat * line.period) return;

  const double number = std::round(passed / line.period);
  const bool is_on_line = number >= 1.0 && number <= kNumbersMissingMax &&
                          std::abs(passed - number * line.period) <= kOffLine * line.period &&
                          std::abs(period / line.period - 1.0) <= kSamePeriod;
  if (is_on_line) return append({seconds, newest.number + number});
  clear();
  append({seconds, 0.0});
}

void BeatLine::append(const Numbered& beat) {
  if (size_ == kBeatsMax) {
    std::ranges::copy(std::span(beats_).subspan(1), beats_.begin());
    --size_;
  }
  beats_[size_++] = beat;
}

BeatLine::Fit BeatLine::fit() const {
  SUBMIX_ASSERT(size_ >= 2);
  const auto beats = std::span(beats_).first(size_);
  const auto count = static_cast<double>(size_);
  Numbered mean;
  for (const auto& beat : beats) {
    mean.seconds += beat.seconds / count;
    mean.number += beat.number / count;
  }
  double products = 0.0;
  double squares = 0.0;
  for (const auto& beat : beats) {
    products += (beat.number - mean.number) * (beat.seconds - mean.seconds);
    squares += (beat.number - mean.number) * (beat.number - mean.number);
  }
  const double period = products / squares;
  double distances = 0.0;
  for (const auto& beat : beats) {
    const double distance = beat.seconds - mean.seconds - period * (beat.number - mean.number);
    distances += distance * distance;
  }
  const double last = mean.seconds + period * (beats.back().number - mean.number);
  return {period, last, std::sqrt(distances / count)};
}

}  // namespace submix::io
