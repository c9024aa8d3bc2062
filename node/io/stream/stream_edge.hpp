// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/link/stream_sender.hpp"
#include "common/media/frame.hpp"
#include "common/stream/attachment.hpp"
#include "common/telemetry/readings.hpp"
#include "node/io/stream/stream_policy.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace submix::io {

struct StreamEdgeOptions {
  std::shared_ptr<link::StreamSender> sender;
  std::string about;            ///< the output, "left.out", for events
  EventSink* events = nullptr;  ///< outlives the edge
  FrameRate rate;
  show::InputPolicy policy = show::InputPolicy::wait;
  std::chrono::milliseconds pause_budget = show::Stream().pause_budget;
};

/// One of the streams that an output feeds, with its policy.
///
/// latest: never holds the output back; unsent frames give way to newer ones. All others: each frame waits
/// for the receiver's credit. But once others have waited with it for the pause budget it is detached: it
/// is treated as latest until it has kept up for a second. What gave way is counted, and a detached edge says
/// so by an event and in its reading.
///
/// Owner    Outlives a rebuilt patch, so that its state goes on.
/// Threads  set_policy(), telemetry(): Synchronized. The rest: Compatible, the stage that has the output.
/// Cost     No allocation for a frame.
class StreamEdge {
 public:
  explicit StreamEdge(StreamEdgeOptions options);

  /// Hands the frame over without waiting. False: it must be waited for.
  [[nodiscard]] bool offer(const media::Frame& frame);
  /// Waits a moment for room for a frame whose offer() failed. False: not yet.
  [[nodiscard]] bool wait(const media::Frame& frame, const std::stop_token& stop);
  /// Whether a frame whose offer() failed goes on without this receiver now; `do_others_wait` for it.
  [[nodiscard]] bool gives_up(const media::Frame& frame, bool do_others_wait, LocalTime now);
  /// Whether the output waits for this receiver.
  [[nodiscard]] bool holds_back() const;

  void set_policy(show::InputPolicy kind, std::chrono::milliseconds pause_budget);
  [[nodiscard]] telemetry::StreamReading telemetry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] link::StreamSender& sender() const { return *options_.sender; }

 private:
  void tell_detached() SUBMIX_EXCLUDES(mutex_);
  void tell_attached() SUBMIX_EXCLUDES(mutex_);
  void set_detached(std::string why) SUBMIX_EXCLUDES(mutex_);
  void report(Severity severity, const std::string& text) const;

  const StreamEdgeOptions options_;
  StreamPolicy policy_;
  stream::Attachment attachment_;              // these two: the stage's
  std::uint64_t skipped_before_detached_ = 0;  // in all
  mutable Mutex mutex_;
  std::string detached_ SUBMIX_GUARDED_BY(mutex_);  // why; empty: it is not
};

}  // namespace submix::io
