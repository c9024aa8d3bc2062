// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// How a PC that was off asks its desk for the show's present key, at the port where PCs join:
/// PAIRING.md, "A PC that was off".
namespace submix::cluster {

inline constexpr std::uint16_t kPairingPort = 4223;  ///< the one after NATS's

struct KeyQuestion {
  PublicKey pc{};
  std::string challenge;  ///< random_challenge()

  friend bool operator==(const KeyQuestion&, const KeyQuestion&) = default;
};

[[nodiscard]] std::vector<std::uint8_t> encode(const KeyQuestion& question);
/// Empty: these bytes are no such question.
[[nodiscard]] std::optional<KeyQuestion> parse_key_question(std::span<const std::uint8_t> bytes);

/// The desk's answer: what write_answer() has made for the PC. A desk's name is not looked up.
///
/// Threads  Blocks for up to about `patience`.
/// Errors   Nobody answers there, or the desk does not know this PC.
[[nodiscard]] Result<std::string> ask_for_key(const HostPort& desk, const KeyQuestion& question,
                                              std::chrono::milliseconds patience);

}  // namespace submix::cluster
