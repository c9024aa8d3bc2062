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

/// The entry of one stream. Compatible.
class FrameOutput {
 public:
  virtual ~FrameOutput() = default;
  /// Memory for the next frame's pixels. It holds the pixels of an earlier frame.
  [[nodiscard]] virtual Result<PixelRange<std::uint8_t>> begin_frame(std::stop_token stop) = 0;
  /// Whether send_frame() may wait before it takes the first byte.
  [[nodiscard]] virtual bool waits_for_credit() const = 0;
  /// Returns when the transport has taken the frame.
  [[nodiscard]] virtual Result<void> send_frame(std::stop_token stop) = 0;
  [[nodiscard]] virtual std::vector<LinkTotal> links() const = 0;
  /// The receiver's monotonic clock minus the local clock. Empty: the transport does not know.
  [[nodiscard]] virtual std::optional<std::chrono::nanoseconds> clock_offset() const { return {}; }
  /// Warnings and errors of the transport. Empty: none.
  [[nodiscard]] virtual std::string complaints() const { return {}; }
};

/// The exit of one stream. Compatible.
class FrameInput {
 public:
  virtual ~FrameInput() = default;
  /// The next frame, valid until the next call. Empty after `patience`.
  [[nodiscard]] virtual Result<std::optional<PixelRange<const std::uint8_t>>> receive_for(
      std::chrono::milliseconds patience, std::stop_token stop) = 0;
  /// Bytes of later frames that have arrived already. 0 if the transport does not know.
  [[nodiscard]] virtual std::size_t waiting_bytes() const { return 0; }
};

struct Inputs {
  std::vector<std::unique_ptr<FrameInput>> streams;
  std::vector<DataEndpoint> endpoints;  ///< for the sending side's job
  LocalEndpoint local{};                ///< for the sending side's job
};
using Outputs = std::vector<std::unique_ptr<FrameOutput>>;

/// This project's streams with one DataPlane for all. Returns when every link is open.
[[nodiscard]] Result<Outputs> open_stream_outputs(const Job& job);
[[nodiscard]] Result<Inputs> open_stream_inputs(const Job& job);

/// Plain sockets: one blocking socket for each stream, whole RGB24 frames, cubic. With
/// Transport::mptcp the kernel may use several paths for each.
[[nodiscard]] Result<Outputs> open_socket_outputs(const Job& job);
[[nodiscard]] Result<Inputs> open_socket_inputs(const Job& job);

}  // namespace submix::throughput
