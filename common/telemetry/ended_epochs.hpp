// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::telemetry {

/// The ended epochs of one end of a stream: the last kKept epochs, and a sum over the earlier ones.
///
/// Threads  Compatible.
class EndedEpochs {
 public:
  static constexpr std::size_t kKept = 8;

  void add(const EpochReading& ended) {
    kept_.push_back(ended);
    if (kept_.size() <= kKept) return;
    const auto& oldest = kept_.front();
    frames_forgotten_ += oldest.next_frame - oldest.first_frame - oldest.frames_lost;
    kept_.erase(kept_.begin());
  }
  [[nodiscard]] const std::vector<EpochReading>& kept() const {
    return kept_;
  }  ///< the oldest first
  [[nodiscard]] std::uint64_t frames_forgotten() const { return frames_forgotten_; }

 private:
  std::vector<EpochReading> kept_;
  std::uint64_t frames_forgotten_ = 0;
};

}  // namespace submix::telemetry
