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

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

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
/// Policy `latest` never holds the output back: newer frames replace unsent ones. With all other
/// policies each frame waits for the receiver's credit. When this receiver has held up others for
/// the pause budget, the edge is detached: it is treated as `latest` until it has kept up for a
/// second. Replaced frames are counted. An event and the reading tell that an edge is detached.
///
/// Owner    Outlives a rebuilt patch and keeps its state.
/// Threads  holds_back(), watch(), unwatch(), set_policy(), telemetry(): Synchronized. The rest:
///          Compatible, the stage that has the output.
/// Cost     No allocation for a frame.
class StreamEdge {
 public:
  explicit StreamEdge(StreamEdgeOptions options);
  ~StreamEdge();
  StreamEdge(const StreamEdge&) = delete;
  StreamEdge& operator=(const StreamEdge&) = delete;

  /// Hands the frame over without waiting. `is_shared`: other receivers get it, too, so only credit
  /// counts. False: there is no room; call wait().
  [[nodiscard]] bool offer(const media::Frame& frame, bool is_shared);
  /// Waits a moment for room for a frame whose offer() failed. False: not yet.
  [[nodiscard]] bool wait(const media::Frame& frame, const std::stop_token& stop);
  /// True if a frame whose offer() failed is now sent without this receiver. `do_others_wait`:
  /// other receivers wait for the frame.
  [[nodiscard]] bool gives_up(const media::Frame& frame, bool do_others_wait, LocalTime now);
  /// True if the output waits for this receiver.
  [[nodiscard]] bool holds_back() const;

  /// Calls `watcher` on some thread whenever the receiver may have granted credit, or may hold the
  /// output back no longer. A watcher must not call the edge's watch() or unwatch().
  void watch(const void* owner, std::function<void()> watcher) SUBMIX_EXCLUDES(watching_);
  /// The owner's watcher is not running any more when this returns.
  void unwatch(const void* owner) SUBMIX_EXCLUDES(watching_);

  void set_policy(show::InputPolicy kind, std::chrono::milliseconds pause_budget);
  [[nodiscard]] telemetry::StreamReading telemetry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] link::StreamSender& sender() const { return *options_.sender; }

 private:
  void tell_watchers() SUBMIX_EXCLUDES(watching_);
  void tell_detached() SUBMIX_EXCLUDES(mutex_);
  void tell_attached() SUBMIX_EXCLUDES(mutex_);
  void set_detached(std::string why) SUBMIX_EXCLUDES(mutex_);
  void report(Severity severity, const std::string& text) const;

  const StreamEdgeOptions options_;
  StreamPolicy policy_;
  stream::Attachment attachment_;              // this and the next one: the stage's
  std::uint64_t skipped_before_detached_ = 0;  // total
  std::atomic<bool> is_attached_ = true;       // attachment_'s state; relaxed: stands alone
  Mutex watching_;
  std::vector<std::pair<const void*, std::function<void()>>> watchers_ SUBMIX_GUARDED_BY(watching_);
  mutable Mutex mutex_;
  std::string detached_ SUBMIX_GUARDED_BY(mutex_);  // why; empty: attached
};

}  // namespace submix::io
