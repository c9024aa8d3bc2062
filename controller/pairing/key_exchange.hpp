// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/pairing/pairing_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

/// A password-authenticated key exchange: SRP-6a (RFC 5054) with the group of 2048 bits and
/// SHA-256, by Botan. Both ends have the same secret if they had the same code. Who listens learns
/// nothing. Who takes part without the code can test one guess in each exchange.
namespace submix::pairing {

using Bytes = std::vector<std::uint8_t>;
using Secret = std::array<std::uint8_t, 32>;

inline constexpr std::size_t kSaltBytes = 16;
inline constexpr std::size_t kNumberBytes = 256;  ///< of a number in the group, big-endian

/// What each end sends: first the end that shows the code, then the end at which it was typed. Both
/// may be written by a stranger.
struct ShowingShare {
  std::array<std::uint8_t, kSaltBytes> salt{};
  std::array<std::uint8_t, kNumberBytes> number{};
};
struct TypingShare {
  std::array<std::uint8_t, kNumberBytes> number{};
};

/// The end that shows the code, for one exchange.
///
/// Threads  Compatible.
/// Cost     About 2 ms of a core.
class ShowingKeyExchange {
 public:
  /// Errors   No random numbers.
  [[nodiscard]] static Result<ShowingKeyExchange> begin(const PairingCode& code);
  ShowingKeyExchange(ShowingKeyExchange&&) noexcept;
  ShowingKeyExchange& operator=(ShowingKeyExchange&&) noexcept;
  ~ShowingKeyExchange();

  [[nodiscard]] const ShowingShare& share() const { return share_; }
  /// Errors   A number that no exchange has.
  [[nodiscard]] Result<Secret> secret_with(const TypingShare& share);

 private:
  struct State;
  ShowingKeyExchange();

  std::unique_ptr<State> state_;
  ShowingShare share_;
};

struct AnsweredKeyExchange {
  TypingShare share;
  Secret secret{};
};

/// The end at which the code was typed.
///
/// Errors   A number that no exchange has.
[[nodiscard]] Result<AnsweredKeyExchange> answer_key_exchange(const PairingCode& code,
                                                              const ShowingShare& share);

}  // namespace submix::pairing
