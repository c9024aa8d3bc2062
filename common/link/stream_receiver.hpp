// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/media/frame_pool.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace submix::link {

class NetContext;
class ReceiverCore;

struct ReceiverOptions {
  std::string stream;
  Size size;
  FrameRate rate;
  std::size_t credits = 4;  ///< frames under way or waiting for the patch
  /// further frames that the patch may hold; with more, credits run short
  std::size_t frames_held = 8;
  media::PixelFormat format = media::PixelFormat::rgba;  ///< of the frames that come out
  media::Backing backing = media::Backing::own;          ///< shared: for plugin hosts to read
};

/// The receiving end of a stream: complete frames come out, in order, each once.
///
/// Shape    Room for credits + frames_held frames. A frame's memory is there from its first use on.
/// Owner    Made by DataPlane::open_receiver(). Its links close when the last owner releases it.
/// Threads  Synchronized. receive(): one thread at a time, the owner of the stream-in stage.
/// Cost     No allocation for a frame, and no page fault except where its memory is first used.
///          RGB24 frames are received straight into their final memory.
/// Errors   A peer that breaks the protocol loses its link. The event names the peer, the value and
///          the limit.
class StreamReceiver {
 public:
  StreamReceiver(std::shared_ptr<NetContext> context, std::shared_ptr<ReceiverCore> core);
  ~StreamReceiver();
  StreamReceiver(const StreamReceiver&) = delete;
  StreamReceiver& operator=(const StreamReceiver&) = delete;

  /// Never waits. The frame's stamp has the stream's epoch, the position in it and the sender's
  /// pts.
  [[nodiscard]] std::optional<media::Frame> try_receive();
  /// Waits at most `patience`. Empty after that time, when a stop is requested, and when the show
  /// removes the stream meanwhile.
  [[nodiscard]] std::optional<media::Frame> receive_for(std::chrono::nanoseconds patience,
                                                        std::stop_token stop);
  /// Waits without limit. Empty when a stop is requested, and when the show removes the stream
  /// meanwhile.
  [[nodiscard]] std::optional<media::Frame> receive(std::stop_token stop);

  /// Counts a frame that the hold policy repeated, for telemetry.
  void count_repeated_frame();
  /// The show no longer has the stream, or leads it elsewhere: no node sends to this receiver. Ends
  /// a waiting receive_for(). False: the show has the stream again.
  void set_removed(bool is_removed);
  [[nodiscard]] bool is_removed() const;
  /// Why the patch does not wait for frames, for telemetry; empty: it waits.
  void set_detached(std::string why);

  /// To be called when people apply the show again. If the present epoch is a day or more ahead of
  /// this machine's clock and brings no frames, the next sender of any other epoch takes over.
  void doubt_epoch();

  /// At least so many frames, 1 to credits(), are on their way or wait for the patch. 1 by default:
  /// no more than necessary. Synchronized.
  void set_frames_least(std::size_t frames);

  [[nodiscard]] const std::string& stream() const;
  [[nodiscard]] Size size() const;
  [[nodiscard]] FrameRate rate() const;
  [[nodiscard]] std::size_t credits() const;
  /// Further frames that the patch may hold.
  [[nodiscard]] std::size_t frames_held() const;
  [[nodiscard]] telemetry::StreamReading telemetry() const;
  /// How the seats of its pool are used.
  [[nodiscard]] std::vector<media::SeatNote> seats() const;

 private:
  std::shared_ptr<NetContext> context_;  // outlives the core, whose sockets are in it
  std::shared_ptr<ReceiverCore> core_;
};

}  // namespace submix::link
