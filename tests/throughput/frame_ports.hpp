// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "tests/throughput/frame_mark.hpp"
#include "tests/throughput/job.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::throughput {

/// Where one stream's frames go in. Compatible.
class FrameOutput {
 public:
  virtual ~FrameOutput() = default;
  /// Where the next frame's pixels are to be written; they are what some earlier frame left there.
  [[nodiscard]] virtual Result<PixelRange<std::uint8_t>> begin_frame(std::stop_token stop) = 0;
  /// Whether send_frame() may wait before it takes the first byte.
  [[nodiscard]] virtual bool waits_for_credit() const = 0;
  /// Returns once the transport has taken the frame.
  [[nodiscard]] virtual Result<void> send_frame(std::stop_token stop) = 0;
  [[nodiscard]] virtual std::vector<LinkTotal> links() const = 0;
  /// The receiver's monotonic clock less the own one; empty: the transport does not know.
  [[nodiscard]] virtual std::optional<std::chrono::nanoseconds> clock_offset() const { return {}; }
  /// What the transport has complained of; empty: nothing.
  [[nodiscard]] virtual std::string complaints() const { return {}; }
};

/// Where one stream's frames come out. Compatible.
class FrameInput {
 public:
  virtual ~FrameInput() = default;
  /// The next frame, valid until the next call; empty after `patience`.
  [[nodiscard]] virtual Result<std::optional<PixelRange<const std::uint8_t>>> receive_for(
      std::chrono::milliseconds patience, std::stop_token stop) = 0;
  /// Of further frames that have come and wait to be taken; 0 where the transport does not know.
  [[nodiscard]] virtual std::size_t waiting_bytes() const { return 0; }
};

struct Inputs {
  std::vector<std::unique_ptr<FrameInput>> streams;
  std::vector<DataEndpoint> endpoints;  ///< for the sending side's job
  LocalEndpoint door{};                 ///< the same
};
using Outputs = std::vector<std::unique_ptr<FrameOutput>>;

/// This project's streams, one DataPlane for all. Outputs are there once every link is open.
[[nodiscard]] Result<Outputs> open_stream_outputs(const Job& job);
[[nodiscard]] Result<Inputs> open_stream_inputs(const Job& job);

/// A plain program's way: a blocking socket for each stream, whole RGB24 frames, cubic. With Transport::mptcp
/// the kernel may use several paths for it.
[[nodiscard]] Result<Outputs> open_socket_outputs(const Job& job);
[[nodiscard]] Result<Inputs> open_socket_inputs(const Job& job);

}  // namespace submix::throughput
