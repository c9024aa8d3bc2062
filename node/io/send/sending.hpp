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

/// Encodes frames as H.264 and sends them to an address, on a thread of its own. A far end that is
/// away, slow or dead costs frames, which are counted, and never holds the giver up. The address is
/// tried again every two seconds.
///
/// Threads  Synchronized.
/// Cost     No call waits for the far end, but the destructor: a second for its farewell, and longer
///          where a resolver of names does not answer.
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
  /// The frame is not sent if the far end is away, or if two are waiting already.
  /// `position` rises by one for each frame of the patch.
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

  /// Sends until the far end fails, and says why, or until another target is wanted.
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
