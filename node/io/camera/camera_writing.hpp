// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/scaler.hpp"
#include "node/io/camera/loopback_camera.hpp"
#include "node/io/retrying.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// Writes the latest frame to a loopback device, on a thread of its own. While no frame comes, the
/// last picture is written ten times a second, so a program that joins has it. A device that is
/// missing or taken is tried again every two seconds.
///
/// Threads  Synchronized.
/// Cost     No call waits for the device, but the destructor: for one picture.
class CameraWriting {
 public:
  /// The latest frame, and the frame being converted.
  static constexpr std::size_t kFramesHeld = 2;

  struct Options {
    Size size;
    FrameRate rate;
    std::string about;            ///< in events
    EventSink* events = nullptr;  ///< outlives this; null: nobody listens
  };
  struct Counts {
    std::uint64_t written = 0;
    std::uint64_t not_written = 0;
  };

  explicit CameraWriting(Options options);

  /// `device`: as for find_loopbacks(). Empty: the first that can be written.
  void write_to(std::string device) { attempts_.work_for(std::move(device)); }
  /// Takes the place of the frame that still waits, which is counted as not written.
  void offer(const media::Frame& frame) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Counts counts() const;
  /// Why no program has the picture. Empty while it is written, and during the first attempt.
  [[nodiscard]] std::string trouble() const { return attempts_.trouble(); }

 private:
  using Attempts = Retrying<std::string>;

  /// Writes until the device fails, and says why, or until another target is wanted.
  [[nodiscard]] Result<void> carry_out(const Attempts::Task& task);
  [[nodiscard]] Result<LoopbackCamera> open_camera(const std::string& device) const;
  /// Empty: none came for a while, or a stop was requested.
  [[nodiscard]] std::optional<media::Frame> next_frame(const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> paint(const media::Frame& frame);

  const Options options_;
  const Size size_;  // of the camera's picture
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> not_written_{0};
  media::Scaler scaler_;            // of the own thread
  std::vector<std::uint8_t> yuyv_;  // of the own thread: the last picture; empty: none yet
  Mutex mutex_;
  Condition changed_;
  std::optional<media::Frame> latest_ SUBMIX_GUARDED_BY(mutex_);
  Attempts attempts_;  // the last: its thread uses all others
};

}  // namespace submix::io
