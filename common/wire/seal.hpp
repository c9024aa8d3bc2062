// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Who may speak: proofs in the handshake, a tag on each message after it. Pure functions of bytes.
namespace submix::wire {

/// The show's key. All zero where no key is in use: the bytes on the wire have the same form.
using Key = std::array<std::uint8_t, 32>;

/// Keyed BLAKE2b over a role, which keeps one proof from being used as another, and encoded messages.
[[nodiscard]] Digest prove(const Key& key, std::string_view role,
                           std::span<const std::uint8_t> first,
                           std::span<const std::uint8_t> second = {});
[[nodiscard]] bool is_equal(const Digest& a, const Digest& b);  ///< in constant time
[[nodiscard]] Nonce random_nonce();

/// Roles of a proof. A Hello proves itself, a Welcome the Hello and itself, a Proof all of both.
inline constexpr std::string_view kRoleHello = "submix hello";
inline constexpr std::string_view kRoleWelcome = "submix welcome";
inline constexpr std::string_view kRoleProof = "submix proof";

/// Hello and Welcome, encoded, end with the proof: writes it, or says whether it is right.
void sign(const Key& key, std::string_view role, std::span<const std::uint8_t> before,
          std::span<std::uint8_t> message);
[[nodiscard]] bool is_signed(const Key& key, std::string_view role,
                             std::span<const std::uint8_t> before,
                             std::span<const std::uint8_t> message);

/// One direction of one link after the handshake: counts its messages and tags each (SipHash-2-4, 53 ns).
///
/// Threads  Compatible.
class Seal {
 public:
  enum class Direction { sender_to_receiver, receiver_to_sender };

  Seal() = default;
  /// Keys differ for each link and direction: both nonces are in `hello` and `welcome`, as encoded.
  Seal(const Key& key, Direction direction, std::span<const std::uint8_t> hello,
       std::span<const std::uint8_t> welcome);

  /// Fills in the last 16 bytes of an encoded message (of a stripe: of its header).
  void seal(std::span<std::uint8_t> message);
  /// Checks them; fails on a wrong number or tag.
  [[nodiscard]] Result<void> check(std::span<const std::uint8_t> message);

 private:
  std::array<std::uint8_t, 16> key_{};
  std::uint64_t next_ = 0;
};

}  // namespace submix::wire
