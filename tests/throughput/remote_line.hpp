// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/seal.hpp"
#include "tests/throughput/socket_address.hpp"
#include "tests/throughput/worker_process.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace submix::throughput {

/// Messages between this program on two machines. Each message has a proof with the show's key:
/// keyed BLAKE2b over the direction, both sides' nonces, a count and the text.
///
/// Shape    A greeting of 32 bytes in each direction ("submix link 2", zeros, and a nonce of 16),
///          then messages: length (4 bytes, little endian, at most 64 KiB), text, proof (32 bytes).
/// Threads  Compatible.
/// Errors   The peer is not submix-throughput, has another key, or is silent for too long.
class RemoteLine {
 public:
  enum class End { client, server };

  /// `socket` is connected. `patience`: for the other side's greeting.
  [[nodiscard]] static Result<RemoteLine> begin(
      Descriptor socket, End end, const wire::Key& key,
      std::chrono::milliseconds patience = std::chrono::milliseconds(2000));

  [[nodiscard]] Result<void> send(const std::string& text);
  [[nodiscard]] Result<std::string> receive(std::chrono::milliseconds patience,
                                            const Meanwhile& meanwhile);

 private:
  RemoteLine(Descriptor socket, End end, const wire::Key& key)
      : socket_(std::move(socket)), end_(end), key_(key) {}
  [[nodiscard]] wire::Digest proof(End from, std::uint64_t count, const std::string& text) const;
  [[nodiscard]] Result<void> wait_for_bytes(std::chrono::steady_clock::time_point deadline,
                                            const Meanwhile& meanwhile) const;
  [[nodiscard]] Result<void> read(std::span<std::uint8_t> bytes,
                                  std::chrono::steady_clock::time_point deadline,
                                  const Meanwhile& meanwhile);

  Descriptor socket_;
  End end_;
  wire::Key key_;
  wire::Nonce client_nonce_{};
  wire::Nonce server_nonce_{};
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace submix::throughput
