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
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::link {

class NetContext;
class SenderCore;

/// The links that a stream shall have.
struct LinkWish {
  std::size_t count = 2;          ///< 1 to 8; ignored where routes are given
  std::vector<LinkRoute> routes;  ///< empty: cards are paired by subnet, then in order
  /// By shared memory, in place of all these, where the receiver is on this machine.
  bool is_local_allowed = true;

  friend bool operator==(const LinkWish&, const LinkWish&) = default;
};

struct SenderOptions {
  std::string stream;
  Size size;
  FrameRate rate;
  std::size_t frames_max = 4;  ///< kept until acknowledged; the receiver's credits may be fewer
  std::size_t link_count = 2;  ///< these two: the LinkWish that it starts with
  std::vector<LinkRoute> routes;
  std::uint64_t epoch = 0;  ///< 0: the wall clock, so that a restarted sender's is greater
  std::string congestion{kCongestionDefault};  ///< the links' TCP congestion control
  Checksum checksum = Checksum::none;          ///< of each stripe; by shared memory there are none
  bool is_local_allowed = true;                ///< see LinkWish
  /// By shared memory only: released frames that the receiver may go on reading; what it keeps beyond, it
  /// copies.
  std::size_t frames_lent = 4;
  /// It looks for its receiver once it has a frame to send: whoever sends to that now goes on until then.
  bool waits_for_frame = false;
  /// The receiver may be on this machine: whoever makes the frames had better use Backing::shared.
  bool is_receiver_near = false;
};

/// The sending end of a stream: frames go in, over all links, and stay until the receiver has released them.
///
/// Owner    Made by DataPlane::open_sender(). The last owner's release says goodbye to the receiver.
/// Threads  Synchronized. send() by one thread at a time, the owner of the stream-out stage.
/// Cost     No allocation and no page fault for a frame. RGB24 frames are sent from where they lie, RGBA ones
///          are packed on the way; the receiver's frames may be of either format, whatever these are. By
///          shared memory an RGBA frame is not touched where its pool is Backing::shared; any other is copied
///          once.
/// Errors   A lost link, a missing or a restarted receiver is no failure: the stream waits and goes on.
class StreamSender {
 public:
  StreamSender(std::shared_ptr<NetContext> context, std::shared_ptr<SenderCore> core);
  ~StreamSender();
  StreamSender(const StreamSender&) = delete;
  StreamSender& operator=(const StreamSender&) = delete;

  /// Never waits. False, and nothing is taken, while there is no credit; or, while the links carry more than
  /// 1 GB/s together, while another frame waits to be sent. `frame` must have the stream's size.
  [[nodiscard]] bool try_send(const media::Frame& frame);
  /// The same, but waits for as long as it takes; false once asked to stop.
  [[nodiscard]] bool send(const media::Frame& frame, std::stop_token stop);
  /// The same, but waits at most `patience`; false, and nothing is taken: there was no room, or a stop was
  /// asked for.
  [[nodiscard]] bool send_for(const media::Frame& frame, std::chrono::nanoseconds patience,
                              std::stop_token stop);
  /// Takes the frame in any case and never waits. Without credit the oldest frame whose sending has not begun
  /// gives way and counts as skipped: the answer is whether none had to. `is_detached` says why, for the
  /// count: because the receiver is.
  bool send_latest(const media::Frame& frame, bool is_detached = false);
  /// Whether the receiver would take a frame now.
  [[nodiscard]] bool has_credit() const;

  /// Where the receiver is; may change at any time, empty: nowhere (yet). Unacknowledged frames go there,
  /// too.
  void set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                       LocalEndpoint door = {});
  /// Links join and leave while frames flow; those that stay notice nothing.
  void set_links(LinkWish wish);

  /// Another sender will take over: that is no news then.
  void expect_successor();
  /// Whether the receiver has refused it because a newer sender has taken over, or, once it expects a
  /// successor, because the stream has another format by now: it will send nothing more.
  [[nodiscard]] bool is_superseded() const;

  [[nodiscard]] const std::string& stream() const;
  [[nodiscard]] Size size() const;
  [[nodiscard]] FrameRate rate() const;
  [[nodiscard]] std::size_t frames_max() const;
  /// See SenderOptions. True: it also keeps frames_lent() frames beyond frames_max().
  [[nodiscard]] bool wants_shared_frames() const;
  [[nodiscard]] std::size_t frames_lent() const;
  /// Frames of the patch that it may hold at once: the unacknowledged ones, one that a link packs while its
  /// acknowledgement comes, one that waits for the first credit, and those that a near receiver reads.
  [[nodiscard]] std::size_t frames_retained() const {
    return frames_max() + 2 + (wants_shared_frames() ? frames_lent() : 0);
  }
  [[nodiscard]] telemetry::StreamReading telemetry() const;

 private:
  std::shared_ptr<NetContext> context_;  // outlives the core, whose sockets are in it
  std::shared_ptr<SenderCore> core_;
};

}  // namespace submix::link
