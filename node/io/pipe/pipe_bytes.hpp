// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace submix::io {

/// Reads bytes from a pipe, a socket or a file, which may never send any.
///
/// Threads  Compatible.
/// Cost     Each call waits for its bytes. A stop ends the wait within 50 ms.
class PipeBytes {
 public:
  /// `descriptor` outlives this object.
  explicit PipeBytes(int descriptor) : descriptor_(descriptor) {}

  /// Fills `to` and returns its size. Fewer bytes: the stream has ended, or a stop was requested.
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> to, const std::stop_token& stop);
  /// The same, but returns what has come: at least one byte.
  [[nodiscard]] Result<std::size_t> read_some(std::span<std::uint8_t> to,
                                              const std::stop_token& stop);
  /// The next bytes, without consuming them: as many as come, at most `bytes`, which is small.
  [[nodiscard]] Result<std::span<const std::uint8_t>> peek(std::size_t bytes,
                                                           const std::stop_token& stop);

 private:
  [[nodiscard]] Result<std::size_t> read_pipe(std::span<std::uint8_t> to,
                                              const std::stop_token& stop) const;

  const int descriptor_;
  std::vector<std::uint8_t> peeked_;
};

/// Writes to a pipe, a socket or a file, whose reader may stop for ever.
///
/// Threads  Compatible.
class PipeSink {
 public:
  enum class Outcome { written, not_yet, closed };

  /// `descriptor` outlives this object.
  explicit PipeSink(int descriptor);

  /// Removes the written bytes from the front of `bytes`. Waits for room, at most `patience`.
  /// `not_yet`: some bytes are left. `closed`: nobody reads any more. Fails for other reasons, such
  /// as a full disk.
  [[nodiscard]] Result<Outcome> write(std::span<const std::uint8_t>& bytes,
                                      std::chrono::milliseconds patience);

 private:
  [[nodiscard]] std::ptrdiff_t write_some(std::span<const std::uint8_t> bytes) const;

  const int descriptor_;
  bool is_socket_ = false;
  Descriptor own_;  ///< the same pipe, without blocking; empty: none could be opened
  std::size_t bytes_at_once_ = 0;
};

}  // namespace submix::io
