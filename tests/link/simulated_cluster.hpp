// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/receiver_core.hpp"
#include "common/link/sender_core.hpp"
#include "tests/link/simulated_loop.hpp"
#include "tests/link/stream_fixture.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::testing {

/// A cable between one card of the sender and one of the receiver.
struct Cable {
  double bytes_per_second = 20e6;
  std::chrono::nanoseconds delay = std::chrono::microseconds(100);
  bool is_cut = false;       ///< without a sign: bytes vanish
  int cuts = 0;              ///< connections from before a cut carry nothing any more
  LocalTime free_at{};       ///< busy until then
  std::size_t connects = 0;  ///< attempts to connect
};

/// One stream from a sender to a receiver over some cables. Everything is simulated except the two
/// cores, SenderCore and ReceiverCore, with all their parts. It offers frames at a steady rate, and
/// takes and checks the frames that come out.
class SimulatedCluster {
 public:
  static constexpr Size kSize{256, 192};  // three stripes
  static constexpr double kFrameBytes = 256.0 * 192 * 3;
  static constexpr std::size_t kPictures = 16;

  explicit SimulatedCluster(std::vector<Cable> cables, double frames_per_second = 60);
  ~SimulatedCluster();

  void run_for(std::chrono::nanoseconds time) { loop_.run_for(time); }
  [[nodiscard]] LocalTime now() const { return loop_.now(); }

  [[nodiscard]] Cable& cable(std::size_t index) { return *cables_[index]; }
  void cut(std::size_t index);
  void mend(std::size_t index) { cable(index).is_cut = false; }

  /// The receiver's machine dies without a message, and a new one without the old state starts.
  void kill_receiver();
  void start_receiver();
  /// The least time between two frames that the receiver takes.
  void take_every(std::chrono::nanoseconds pause) { take_pause_ = pause; }

  [[nodiscard]] std::uint64_t frames_taken() const { return frames_taken_; }
  [[nodiscard]] std::uint64_t frames_offered() const { return next_frame_; }
  /// The index of the first frame that this receiver delivered.
  [[nodiscard]] std::uint64_t first_taken() const { return first_taken_; }
  /// The longest time between two frames that came out.
  [[nodiscard]] std::chrono::nanoseconds longest_gap() const { return longest_gap_; }
  void forget_gaps() { longest_gap_ = {}, last_taken_ = now(); }

  [[nodiscard]] link::SenderCore& sender() { return *sender_; }
  [[nodiscard]] const std::shared_ptr<link::ReceiverCore>& receiver() const { return receiver_; }
  [[nodiscard]] SimulatedLoop& loop() { return loop_; }
  [[nodiscard]] telemetry::LinkReading link(std::size_t index) {
    return sender_->telemetry().links.at(index);
  }
  RecordedEvents events;

 private:
  void offer();
  void take();

  SimulatedLoop loop_;
  link::StreamContext sending_;
  link::StreamContext receiving_;
  std::vector<std::unique_ptr<Cable>> cables_;
  const std::chrono::nanoseconds period_;
  media::FramePool source_;
  std::vector<media::Frame> pictures_;  // offered in turn
  std::shared_ptr<link::SenderCore> sender_;
  std::shared_ptr<link::ReceiverCore> receiver_;  // null: dead
  std::chrono::nanoseconds take_pause_ = std::chrono::milliseconds(1);
  std::uint64_t next_frame_ = 0;
  std::uint64_t frames_taken_ = 0;
  std::optional<std::uint64_t> last_index_;  // this and `first_taken_`: of this receiver
  std::uint64_t first_taken_ = 0;
  LocalTime last_taken_{};
  std::chrono::nanoseconds longest_gap_{0};
  bool is_over_ = false;
};

}  // namespace submix::testing
