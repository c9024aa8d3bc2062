// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "node/io/retrying.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// Frames that wait for the encoder, and the frame being encoded.
inline constexpr std::size_t kFramesInSending = 3;

/// Where frames go, and how large they may be.
struct SendTarget {
  std::string address;
  std::int64_t bits_per_second = 0;

  friend bool operator==(const SendTarget&, const SendTarget&) = default;
};

/// Encodes frames as H.264 and sends them to an address, on a thread of its own. A missing, slow or
/// dead far end costs frames, which are counted; offer() never waits for it. The address is tried
/// again every two seconds.
///
/// Threads  Synchronized.
/// Cost     Only the destructor waits for the far end: a second to close the connection, and longer
///          if a name resolver does not answer.
class Sending {
 public:
  struct Options {
    Size size;
    FrameRate rate;
    std::string about;            ///< in events
    EventSink* events = nullptr;  ///< outlives this; null: nobody listens
  };
  struct Counts {
    std::uint64_t sent = 0;
    std::uint64_t not_sent = 0;
  };

  explicit Sending(Options options);

  /// Sends to `target` from now on. Empty: sends nothing.
  void send_to(std::optional<SendTarget> target) { attempts_.work_for(std::move(target)); }
  /// Drops the frame if the far end is missing or two frames wait already. `position` rises by one
  /// for each frame of the patch.
  void offer(const media::Frame& frame, std::uint64_t position) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Counts counts() const;
  /// Why nothing is sent. Empty while sending, and during the first attempt.
  [[nodiscard]] std::string trouble() const { return attempts_.trouble(); }

 private:
  struct Waiting {
    media::Frame frame;
    std::uint64_t position = 0;
  };

  using Attempts = Retrying<SendTarget>;

  /// Sends until another target is wanted. Fails with the reason when the far end fails.
  [[nodiscard]] Result<void> carry_out(const Attempts::Task& task);
  [[nodiscard]] Result<void> send_frames(const Attempts::Task& task);
  [[nodiscard]] std::optional<Waiting> next_frame(const std::stop_token& stop)
      SUBMIX_EXCLUDES(mutex_);
  void open_queue() SUBMIX_EXCLUDES(mutex_);
  /// Counts the waiting frames as not sent.
  void close_queue() SUBMIX_EXCLUDES(mutex_);

  const Options options_;
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> not_sent_{0};
  Mutex mutex_;
  Condition changed_;
  bool is_open_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::vector<Waiting> queue_ SUBMIX_GUARDED_BY(mutex_);
  Attempts attempts_;  // the last: its thread uses all others
};

}  // namespace submix::io
