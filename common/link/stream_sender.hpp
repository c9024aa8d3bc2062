// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/units.hpp"
#include "common/link/congestion.hpp"
#include "common/media/frame.hpp"
#include "common/telemetry/readings.hpp"
#include "common/wire/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::link {

class NetContext;
class SenderCore;

/// The wanted links of a stream.
struct LinkSetup {
  std::size_t count = 2;            ///< 1 to 8; ignored when routes are given
  std::vector<LinkRoute> routes{};  ///< empty: cards are paired by subnet, then in order
  /// Use shared memory in place of all TCP links where the receiver is on this machine.
  bool is_local_allowed = true;

  friend bool operator==(const LinkSetup&, const LinkSetup&) = default;
};

struct SenderOptions {
  std::string stream;
  Size size;
  FrameRate rate;
  std::size_t frames_max = 4;  ///< kept until acknowledged; the receiver's credits may be fewer
  LinkSetup links{};           ///< at the start; see set_links()
  std::uint64_t epoch = 0;  ///< 0: the wall clock, so that a restarted sender has a greater epoch
  std::string congestion{kCongestionDefault};  ///< TCP congestion control of the links
  PixelFormat format = PixelFormat::rgb24;     ///< of the stream; rgb24 has no alpha
  Checksum checksum = Checksum::none;          ///< of each stripe; none on local links
  bool is_encrypted = false;                   ///< the pixels of TCP links; then `checksum` is idle
  /// Shared memory only: released frames that the receiver may go on reading. It copies further
  /// frames.
  std::size_t frames_lent = 4;
  /// The sender connects once it has a frame to send. A present sender of the stream goes on until
  /// then.
  bool waits_for_frame = false;
  /// The receiver may be on this machine: the frames' pool should use Backing::shared.
  bool is_receiver_near = false;
};

/// The sending end of a stream. Frames go in, leave over all links, and are kept until the receiver
/// has released them.
///
/// Owner    Made by DataPlane::open_sender(). It says goodbye to the receiver when its last owner
///          releases it.
/// Threads  Synchronized. send(): one thread at a time, the owner of the stream-out stage.
/// Cost     No allocation and no page fault for a frame. Frames of the stream's format are sent
///          from their own memory, others are converted on the way. Sender and receiver choose the
///          formats of their frames independently. By shared memory an RGBA frame of a
///          Backing::shared pool is lent as it is; any other frame is copied once. For a stream
///          without alpha each frame's alpha is read, and a frame that is not opaque is copied.
/// Errors   A lost link, a missing receiver or a restarted one is no error: the stream waits and
///          goes on.
class StreamSender {
 public:
  StreamSender(std::shared_ptr<NetContext> context, std::shared_ptr<SenderCore> core);
  ~StreamSender();
  StreamSender(const StreamSender&) = delete;
  StreamSender& operator=(const StreamSender&) = delete;

  /// Never waits. False when the frame is not taken: there is no credit, or the links still have
  /// so much work that it would only wait (stream::Striper::has_plenty). `frame` must have the
  /// stream's size.
  /// `is_shared`: others get this frame, too, so it is taken whenever there is credit, also while
  /// the links have plenty of work.
  [[nodiscard]] bool try_send(const media::Frame& frame, bool is_shared = false);
  /// The same, but waits without limit; false when a stop is requested.
  [[nodiscard]] bool send(const media::Frame& frame, std::stop_token stop);
  /// The same, but waits at most `patience`. False when the frame is not taken: there was no room,
  /// or a stop was requested.
  [[nodiscard]] bool send_for(const media::Frame& frame, std::chrono::nanoseconds patience,
                              std::stop_token stop);
  /// Always takes the frame and never waits. Without credit it skips the oldest frame whose sending
  /// has not begun. Returns whether no frame was skipped. `is_detached`: counts a skipped frame as
  /// due to a detached receiver.
  bool send_latest(const media::Frame& frame, bool is_detached = false);
  /// How many frames the receiver would take now.
  [[nodiscard]] std::uint64_t credits() const;
  [[nodiscard]] bool has_credit() const { return credits() > 0; }
  /// Calls `watcher` on `net`, without a lock of the sender's state, whenever the receiver may have
  /// granted credit. Replaces the former watcher, which is not running any more when this returns.
  /// Empty: nobody watches. A watcher must not call this function.
  void watch_credit(std::function<void()> watcher);

  /// The receiver's address; may change at any time. Empty: none (yet). Unacknowledged frames go to
  /// the new destination, too.
  void set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                       LocalEndpoint local_endpoint = {});
  /// Links join and leave while frames flow; unchanged links notice nothing.
  void set_links(LinkSetup setup);

  /// Another sender will take over: do not report its arrival.
  void expect_successor();
  /// Whether this sender is obsolete and sends nothing more: the receiver has refused it in favour
  /// of a newer sender, or a successor is expected and the receiver has another format already.
  [[nodiscard]] bool is_superseded() const;

  [[nodiscard]] const std::string& stream() const;
  [[nodiscard]] Size size() const;
  [[nodiscard]] FrameRate rate() const;
  [[nodiscard]] PixelFormat format() const;
  [[nodiscard]] std::size_t frames_max() const;
  /// SenderOptions::is_receiver_near. True: the sender also keeps frames_lent() frames beyond
  /// frames_max().
  [[nodiscard]] bool wants_shared_frames() const;
  [[nodiscard]] std::size_t frames_lent() const;
  /// The most frames of the patch that it holds at once: unacknowledged frames, a frame that a link
  /// packs while its acknowledgement comes, a frame that waits for the first credit, and
  /// frames that a near receiver reads. A stream of RGBA sends frames from their own memory: each
  /// further link may still send one that has been acknowledged.
  [[nodiscard]] std::size_t frames_retained() const {
    return frames_max() + 2 + (wants_shared_frames() ? frames_lent() : 0) +
           (format() == PixelFormat::rgba ? further_links() : 0);
  }
  [[nodiscard]] telemetry::StreamReading telemetry() const;

 private:
  [[nodiscard]] std::size_t further_links() const;  // beyond one, as at the start

  std::shared_ptr<NetContext> context_;  // outlives the core, whose sockets are in it
  std::shared_ptr<SenderCore> core_;
};

}  // namespace submix::link
