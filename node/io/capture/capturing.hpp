// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/capture/capture_device.hpp"
#include "node/io/picture_fit.hpp"
#include "node/io/retrying.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// The latest picture of a device, painted in the show's size on a thread of its own. A missing or
/// unplugged device is tried again every two seconds.
///
/// Threads  Synchronized.
/// Cost     copy_latest() waits for no device. The destructor may wait for a device's answer.
class Capturing {
 public:
  /// How long a picture is shown when no other comes.
  static constexpr std::chrono::seconds kHeld{2};

  struct Options {
    Size size;
    FrameRate rate;
    std::string about;            ///< in events
    EventSink* events = nullptr;  ///< outlives this; null: nobody listens
  };
  explicit Capturing(Options options);

  /// `device`: as for find_capture().
  void capture(std::string device) { attempts_.work_for(std::move(device)); }
  /// Applies to later pictures.
  void set_fit(Fit fit) { fit_.store(fit, std::memory_order_relaxed); }
  /// Copies the picture, in the show's size, and returns when the device took it. Empty: there is
  /// none yet, or none came for kHeld.
  [[nodiscard]] std::optional<std::chrono::system_clock::time_point> copy_latest(
      std::span<std::uint8_t> rgba) const SUBMIX_EXCLUDES(mutex_);
  /// Waits for a picture. False: `deadline` passed or a stop was requested.
  [[nodiscard]] bool wait(std::chrono::steady_clock::time_point deadline,
                          const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// Pictures from the device so far.
  [[nodiscard]] std::uint64_t captured() const { return captured_.load(std::memory_order_relaxed); }
  /// Why there is no picture. Empty while pictures come, and during the first attempt.
  [[nodiscard]] std::string trouble() const { return attempts_.trouble(); }

 private:
  using Attempts = Retrying<std::string>;

  /// Captures until another device is wanted. Fails with the reason when the device fails.
  [[nodiscard]] Result<void> carry_out(const Attempts::Task& task);
  void publish(std::chrono::system_clock::time_point taken) SUBMIX_EXCLUDES(mutex_);

  struct Picture {
    std::vector<std::uint8_t> rgba;
    std::chrono::system_clock::time_point taken{};  ///< by the device's time stamp
    std::chrono::steady_clock::time_point came{};   ///< the earliest time: there is none
  };

  const Options options_;
  std::atomic<std::uint64_t> captured_{0};
  std::atomic<Fit> fit_{Fit::letterbox};
  std::vector<std::uint8_t> painted_;  // of the own thread
  mutable Mutex mutex_;
  Condition changed_;
  Picture latest_ SUBMIX_GUARDED_BY(mutex_);
  Attempts attempts_;  // the last: its thread uses all others
};

}  // namespace submix::io
