// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/network/jitter_buffer.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/retrying.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace submix::io {

/// The pictures from an address, painted in the show's size on a thread of its own, and kept until
/// they are due. An address without pictures is tried again every two seconds.
///
/// Shape    At most kWaitingBytesMax of pictures wait, or two pictures, whatever the far end sends.
/// Threads  Synchronized.
/// Cost     copy_due() does not wait for the far end. The destructor may wait for the name
///          resolver.
class Receiving {
 public:
  using Time = JitterBuffer::Time;

  static constexpr std::size_t kWaitingBytesMax = std::size_t{256} << 20U;

  explicit Receiving(Size size);

  /// Receives from `address`, which has been checked. Empty: from nowhere.
  void receive(std::optional<std::string> address) { attempts_.work_for(std::move(address)); }
  /// Both apply to later pictures. `buffer`: how long a picture waits.
  void set_fit(Fit fit) { fit_.store(fit, std::memory_order_relaxed); }
  void set_buffer(std::chrono::milliseconds buffer) {
    buffer_.store(buffer, std::memory_order_relaxed);
  }
  /// Copies the picture for a frame at `now`, and returns the time of its arrival. Empty: there is
  /// none.
  [[nodiscard]] std::optional<Time> copy_due(Time now, std::span<std::uint8_t> rgba)
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] JitterBuffer::Counts counts() const SUBMIX_EXCLUDES(mutex_);
  /// Why there is no picture. Empty while pictures come, and during the first attempt.
  [[nodiscard]] std::string trouble() const { return attempts_.trouble(); }

 private:
  using Attempts = Retrying<std::string>;

  /// Receives until another address is wanted. Fails with the reason when the far end fails.
  [[nodiscard]] Result<void> carry_out(const Attempts::Task& task);
  [[nodiscard]] JitterBuffer::Pixels take_memory() SUBMIX_EXCLUDES(mutex_);
  void put(JitterBuffer::Picture picture) SUBMIX_EXCLUDES(mutex_);

  const Size size_;
  std::atomic<Fit> fit_{Fit::letterbox};
  std::atomic<std::chrono::milliseconds> buffer_{std::chrono::milliseconds(0)};
  mutable Mutex mutex_;
  JitterBuffer pictures_ SUBMIX_GUARDED_BY(mutex_);
  Attempts attempts_;  // the last: its thread uses all others
};

}  // namespace submix::io
