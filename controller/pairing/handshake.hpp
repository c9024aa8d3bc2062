// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/pairing/invitation.hpp"
#include "controller/pairing/key_exchange.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// The messages of a pairing, without sockets; PAIRING.md has every byte. One end shows a code, at
/// the other end a person types it. A PC that joins types the desk's code. A PC that is invited
/// shows a code, and the desk's person types it.
namespace submix::pairing {

inline constexpr std::uint8_t kVersion = 2;
inline constexpr std::size_t kMessageBytesMax = 2048;
inline constexpr std::size_t kNameBytesMax = 64;

/// What the end at which the code was typed wants.
enum class Purpose {
  join,   ///< become part of the other end's show
  invite  ///< have the other end in its own show
};

/// Why an end stops a pairing.
enum class Refusal : std::uint8_t {
  no_code = 1,        ///< this end shows no code at present
  wrong_code = 2,     ///< the other end does not know this end's code
  other_version = 3,  ///< of this protocol
  not_valid = 4,      ///< a message that no Submix writes
  unknown_pc = 5,     ///< it asks for the show's key, but has not joined, or was shut out
  not_kept = 6,       ///< this end cannot write down the PC, or its membership
  other_purpose = 7   ///< a desk is asked to be invited, or a PC without a show is asked for a show
};

/// What both ends can say to each other once the code is proven. Each message is sealed with a key
/// of its own.
///
/// Threads  Compatible.
/// Errors   A refusal, for people; a message that the other end of this pairing did not write.
class ProvenEnd {
 public:
  [[nodiscard]] Bytes seal(const Invitation& invitation) const;
  [[nodiscard]] Result<Invitation> read_invitation(std::span<const std::uint8_t> message) const;
  /// The PC that is invited tells its name and its public key.
  [[nodiscard]] Bytes seal(const Joiner& pc) const;
  [[nodiscard]] Result<Joiner> read_introduction(std::span<const std::uint8_t> message) const;
  /// The PC that is invited has stored its membership.
  [[nodiscard]] Bytes seal_receipt() const;
  [[nodiscard]] Result<void> read_receipt(std::span<const std::uint8_t> message) const;

 protected:
  explicit ProvenEnd(Purpose purpose) : purpose_(purpose) {}
  ~ProvenEnd() = default;
  ProvenEnd(ProvenEnd&&) = default;
  ProvenEnd& operator=(ProvenEnd&&) = default;

  Purpose purpose_;
  Bytes transcript_;
  Secret secret_{};  ///< zero until the code is proven

 private:
  [[nodiscard]] Bytes seal(std::string_view role, std::span<const std::uint8_t> content) const;
  [[nodiscard]] Result<Bytes> open(std::string_view role,
                                   std::span<const std::uint8_t> message) const;
};

/// The end at which a person has typed the code.
///
/// Threads  Compatible.
/// Errors   A refusal, for people; bytes that are no message of the other end.
class TypingEnd : public ProvenEnd {
 public:
  /// `self`: this PC's name for the other end's person, and its public key.
  TypingEnd(PairingCode code, Joiner self, Purpose purpose = Purpose::join)
      : ProvenEnd(purpose), code_(std::move(code)), self_(std::move(self)) {}

  [[nodiscard]] Bytes hello();
  [[nodiscard]] Result<Bytes> proof_for(std::span<const std::uint8_t> welcome);

 private:
  PairingCode code_;
  Joiner self_;
};

/// The end that shows the code. A wrong proof is one guess; count it.
///
/// Threads  Compatible.
class ShowingEnd : public ProvenEnd {
 public:
  explicit ShowingEnd(PairingCode code, Purpose purpose = Purpose::join)
      : ProvenEnd(purpose), code_(std::move(code)) {}

  /// Errors   The refusal to answer with.
  [[nodiscard]] tl::expected<Bytes, Refusal> welcome_for(std::span<const std::uint8_t> hello);
  /// Whether the other end knows the code.
  ///
  /// Errors   The refusal to answer with: `wrong_code` is a guess, `not_valid` is none.
  [[nodiscard]] tl::expected<void, Refusal> check_proof(std::span<const std::uint8_t> proof);

  /// The other end's name, after its Hello: one plain line.
  [[nodiscard]] const std::string& pc() const { return pc_; }
  /// The other end's public key, once its proof was right.
  [[nodiscard]] const cluster::PublicKey& public_key() const { return public_key_; }

 private:
  PairingCode code_;
  std::optional<ShowingKeyExchange> exchange_;  // after the Hello
  std::string pc_;
  cluster::PublicKey public_key_{};
};

[[nodiscard]] Bytes encode(Refusal refusal);

}  // namespace submix::pairing
