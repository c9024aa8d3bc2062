// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace submix::model {

inline constexpr std::chrono::milliseconds kHistoryPeriod{200};
inline constexpr std::size_t kHistorySamples = 600;  // two minutes

/// The last kHistorySamples samples of one figure. Compatible. Allocates once, in the constructor.
class History {
 public:
  History() { samples_.reserve(kHistorySamples); }

  void push(float sample) {
    if (samples_.size() < kHistorySamples) {
      samples_.push_back(sample);
    } else {
      samples_[first_] = sample;
      first_ = (first_ + 1) % kHistorySamples;
    }
  }
  /// Oldest first.
  [[nodiscard]] std::vector<float> samples() const {
    const auto split = samples_.begin() + static_cast<std::ptrdiff_t>(first_);
    std::vector<float> ordered(split, samples_.end());
    ordered.insert(ordered.end(), samples_.begin(), split);
    return ordered;
  }

 private:
  std::vector<float> samples_;  // a ring when full
  std::size_t first_ = 0;
};

}  // namespace submix::model
