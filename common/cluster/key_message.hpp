// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/identity.hpp"
#include "common/cluster/show_key.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a desk and its PCs say about the show's key; CONTROL.md, "A new key", has the fields.
namespace submix::cluster {

inline constexpr std::string_view kKeyOffers = "submix.key.offer";
inline constexpr std::string_view kKeyReplies = "submix.key.reply";
inline constexpr std::size_t kPeersMax = 250;  ///< that a desk remembers: an offer fits one message

/// A key of the show. Each key has a greater number than the keys before it.
struct NumberedKey {
  ShowKey key;
  std::uint64_t number = 0;

  friend bool operator==(const NumberedKey&, const NumberedKey&) = default;
};

/// One message for all PCs, in which each finds what is sealed for it.
[[nodiscard]] std::string write_offer(const Identity& desk, const std::vector<PublicKey>& pcs,
                                      const NumberedKey& key);
/// Empty: nothing in it is from `desk` for `pc`.
[[nodiscard]] std::optional<NumberedKey> read_offer(std::string_view offer, const Identity& pc,
                                                    const PublicKey& desk);

/// The same for one PC that asks, with the PC's challenge: an old answer is of no use.
[[nodiscard]] std::string write_answer(const Identity& desk, const PublicKey& pc,
                                       const NumberedKey& key, std::string_view challenge);
[[nodiscard]] std::optional<NumberedKey> read_answer(std::string_view answer, const Identity& pc,
                                                     const PublicKey& desk,
                                                     std::string_view challenge);

/// A program of a PC knows the key of this number.
struct KeyReply {
  PublicKey pc{};
  std::string program{};  ///< "submix-node left"
  std::uint64_t number = 0;

  friend auto operator<=>(const KeyReply&, const KeyReply&) = default;
};
[[nodiscard]] std::string write_reply(const Identity& pc, const PublicKey& desk,
                                      const KeyReply& reply);
/// Empty: it is not from the PC that it names, or not for this desk.
[[nodiscard]] std::optional<KeyReply> read_reply(std::string_view reply, const Identity& desk);

}  // namespace submix::cluster
