// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/latencies.hpp"
#include "common/telemetry/readings.hpp"
#include "controller/simulation/link.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace submix::simulation {

/// A simulated stream: the frames numbered by its sender and taken by its receiver, with at
/// most as many frames between them as credits. Frames are counted, not made.
///
/// Threads  Compatible.
class Stream {
 public:
  /// Addresses of both nodes' cards, in order. Empty: both ends are on one node and use shared
  /// memory.
  struct CardAddresses {
    std::vector<std::string> from;
    std::vector<std::string> to;
    /// 0: a third more than the stream needs, divided among its links.
    double cable_bytes_per_second = 0;
  };
  Stream(const show::Show& show, show::Stream stream, const CardAddresses& ends);

  [[nodiscard]] const show::Stream& stated() const { return stated_; }
  /// Policy and budget may change while frames flow.
  void set_stated(show::Stream stated) { stated_ = std::move(stated); }
  /// Continues the counts of the same stream from before an edit.
  void succeed(const Stream& former);

  // The sender's end.
  [[nodiscard]] bool may_send() const;
  void send(LocalTime now);
  /// The stream took no frame for `time`. `has_other_streams`: other streams of the output would
  /// have taken one.
  void hold_up(std::chrono::nanoseconds time, bool has_other_streams);
  /// Begins a new epoch: frames on their way are lost with the old one.
  void restart_sender();

  /// A frame reaches the receiver this long after it was sent, whatever its links carry. 0: at
  /// once.
  void set_delay(std::chrono::nanoseconds delay) { delay_ = delay; }
  /// Lets the links carry data for `time`.
  void carry(std::chrono::nanoseconds time);

  // The receiver's end.
  [[nodiscard]] bool has_frame() const {
    return now_.arrived > now_.released && now_.carried_at.front() + delay_ <= age_;
  }
  void take(LocalTime now);
  /// Whether the input shows a substitute, because no frame came for the pause budget. `time` is
  /// that of one call.
  [[nodiscard]] bool may_repeat() const;
  void starve(std::chrono::nanoseconds time);
  void repeat() { ++receiver_.duplicated; }
  /// Begins after the last frame of its predecessor.
  void restart_receiver();

  void set_ends_alive(bool is_sender_alive, bool is_receiver_alive);
  [[nodiscard]] std::vector<Link>& links() { return links_; }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] bool is_detached() const { return sender_.is_detached; }
  [[nodiscard]] telemetry::StreamReading reading(bool is_sender, const std::string& peer) const;

 private:
  [[nodiscard]] std::uint64_t in_flight() const { return now_.numbered - now_.released; }
  [[nodiscard]] bool has_credit() const;
  [[nodiscard]] telemetry::EpochReading sender_epoch() const;
  [[nodiscard]] telemetry::EpochReading receiver_epoch() const;

  show::Stream stated_;
  double frame_bytes_ = 0;
  std::vector<Link> links_;
  bool are_both_alive_ = true;
  std::chrono::nanoseconds age_{0};
  std::chrono::nanoseconds delay_{0};

  struct Epoch {
    std::uint64_t number = 1;
    std::uint64_t numbered = 0;
    std::uint64_t skipped = 0;
    std::uint64_t skipped_detached = 0;
    std::uint64_t first = 0;     // the receiver's
    std::uint64_t arrived = 0;   // complete, at the receiver
    std::uint64_t released = 0;  // to the receiver's patch
    double head_bytes = 0;       // bytes already carried of the frame on its way
    // When the last byte left, for each frame not released yet.
    std::deque<std::chrono::nanoseconds> carried_at;
  };
  Epoch now_;
  std::deque<LocalTime> taken_at_;

  // Totals over all epochs of an end's present life.
  struct SenderLife {
    std::uint64_t produced = 0;
    std::chrono::nanoseconds blocked{0};
    std::chrono::nanoseconds held_up{0};     // without a break
    std::chrono::nanoseconds credit_for{0};  // without a break, while detached
    bool is_detached = false;
  };
  struct ReceiverLife {
    std::uint64_t received = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t forgotten = 0;
    std::vector<telemetry::EpochReading> epochs;  // ended epochs
    std::chrono::nanoseconds starved{0};
    std::chrono::nanoseconds starved_for{0};  // without a break
  };
  SenderLife sender_;
  ReceiverLife receiver_;
  std::shared_ptr<telemetry::Latencies> latencies_ = std::make_shared<telemetry::Latencies>();
};

}  // namespace submix::simulation
