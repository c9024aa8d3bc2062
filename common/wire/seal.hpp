// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Authentication: proofs in the handshake, then a tag on each message. Pure functions of bytes.
namespace submix::wire {

/// The show's key. All zeros if no key is in use: the messages have the same form.
using Key = std::array<std::uint8_t, 32>;

/// Keyed BLAKE2b over a role and encoded messages. The role keeps a proof from being used as
/// another.
[[nodiscard]] Digest prove(const Key& key, std::string_view role,
                           std::span<const std::uint8_t> first,
                           std::span<const std::uint8_t> second = {});
[[nodiscard]] bool is_equal(const Digest& a, const Digest& b);  ///< in constant time
void fill_random(std::span<std::uint8_t> bytes);                ///< for nonces and keys
[[nodiscard]] Nonce random_nonce();

/// The key of links between two nodes that share `secret`, too: no third node of the show has it.
[[nodiscard]] Key bind(const Key& show_key, const Key& secret);

/// Roles of a proof. A Hello's proof covers the Hello, a Welcome's both messages, a Proof's the
/// whole of both.
inline constexpr std::string_view kRoleHello = "submix hello";
inline constexpr std::string_view kRoleWelcome = "submix welcome";
inline constexpr std::string_view kRoleProof = "submix proof";

/// An encoded Hello or Welcome ends with its proof. sign() writes the proof, is_signed() checks it.
void sign(const Key& key, std::string_view role, std::span<const std::uint8_t> before,
          std::span<std::uint8_t> message);
[[nodiscard]] bool is_signed(const Key& key, std::string_view role,
                             std::span<const std::uint8_t> before,
                             std::span<const std::uint8_t> message);

/// One direction of one link after the handshake: numbers its messages and tags each of them.
///
/// Threads  Compatible.
/// Cost     SipHash-2-4, 53 ns for each message.
class Seal {
 public:
  enum class Direction { sender_to_receiver, receiver_to_sender };

  Seal() = default;
  /// Each link and direction has its own key: `hello` and `welcome` are encoded and hold both
  /// nonces. `session`: of EphemeralKey::session_key().
  Seal(const Key& session, Direction direction, std::span<const std::uint8_t> hello,
       std::span<const std::uint8_t> welcome);

  /// Fills in the last 16 bytes of an encoded message (of a stripe: of its header).
  void seal(std::span<std::uint8_t> message);
  /// Checks the last 16 bytes. Fails on a wrong number or tag.
  [[nodiscard]] Result<void> check(std::span<const std::uint8_t> message);

 private:
  std::array<std::uint8_t, 16> key_{};
  std::uint64_t next_ = 0;
};

}  // namespace submix::wire
