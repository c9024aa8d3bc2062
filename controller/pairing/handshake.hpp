// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/pairing/invitation.hpp"
#include "controller/pairing/key_exchange.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

/// The four messages of a pairing, without sockets; PAIRING.md has every byte.
namespace submix::pairing {

inline constexpr std::uint8_t kVersion = 2;
inline constexpr std::size_t kMessageBytesMax = 2048;
inline constexpr std::size_t kNameBytesMax = 64;

/// Why a desk ends a pairing.
enum class Refusal : std::uint8_t {
  no_code = 1,        ///< the desk shows no code at present
  wrong_code = 2,     ///< the other end does not know the desk's code
  other_version = 3,  ///< of this protocol
  not_valid = 4,      ///< a message that no Submix writes
  unknown_pc = 5,     ///< it asks for the show's key, but has not joined, or was shut out
  not_kept = 6        ///< the desk cannot write down the PC
};

/// The end of the PC that joins.
///
/// Threads  Compatible.
/// Errors   A refusal, for people; bytes that are no message of a desk.
class JoiningEnd {
 public:
  /// `pc`: this PC's name for the desk's person, and its public key.
  JoiningEnd(PairingCode code, Joiner pc) : code_(std::move(code)), pc_(std::move(pc)) {}

  [[nodiscard]] Bytes hello();
  [[nodiscard]] Result<Bytes> proof_for(std::span<const std::uint8_t> welcome);
  [[nodiscard]] Result<Invitation> read_invitation(std::span<const std::uint8_t> message);

 private:
  PairingCode code_;
  Joiner pc_;
  Bytes transcript_;
  Secret key_{};  // of the invitation
};

/// The end of the desk. A wrong proof is one guess; count it.
///
/// Threads  Compatible.
class DeskEnd {
 public:
  explicit DeskEnd(PairingCode code) : code_(std::move(code)) {}

  /// Errors   The refusal to answer with.
  [[nodiscard]] tl::expected<Bytes, Refusal> welcome_for(std::span<const std::uint8_t> hello);
  /// Whether the other end knows the code.
  ///
  /// Errors   The refusal to answer with: `wrong_code` is a guess, `not_valid` is none.
  [[nodiscard]] tl::expected<void, Refusal> check_proof(std::span<const std::uint8_t> proof);
  [[nodiscard]] Bytes seal(const Invitation& invitation) const;

  /// The PC's name, after its Hello: one plain line.
  [[nodiscard]] const std::string& pc() const { return pc_; }
  /// The PC's public key, once its proof was right.
  [[nodiscard]] const cluster::PublicKey& public_key() const { return public_key_; }

 private:
  PairingCode code_;
  std::optional<DeskKeyExchange> exchange_;  // after the Hello
  std::string pc_;
  cluster::PublicKey public_key_{};
  Bytes transcript_;
  Secret key_{};
};

[[nodiscard]] Bytes encode(Refusal refusal);

}  // namespace submix::pairing
