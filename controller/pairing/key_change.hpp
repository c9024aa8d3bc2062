// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/peer_list.hpp"

#include <chrono>
#include <set>
#include <string>
#include <utility>

/// How a desk changes the key of its show. The order of the writes leaves a state from which
/// everything goes on, wherever it is broken off:
///
/// 1. The list loses the PC and gets the next key. All programs and the server have the old key.
/// 2. Programs are offered the next key. They have both, and the server has the old one.
/// 3. The desk's membership gets the new key: programs that start take it.
/// 4. The NATS server gets the new key. Programs leave the old key once the server proves the new.
/// 5. The list loses the next key: all is done.
///
/// After 1 or 2 finish_key_change() does the rest; `submix desk` and the desk's window call it. PCs
/// that have missed 2 ask the desk's pairing port.
namespace submix::pairing {

/// For replies to an offer. A removal should take less than two seconds; a program that is slower
/// asks the desk for the key.
inline constexpr std::chrono::milliseconds kOfferPatience{400};

/// A program of a PC.
using PeerProgram = std::pair<cluster::PublicKey, std::string>;

/// Offers `key` to the PCs of `list` and to this PC's programs. Waits until all of `wanted` have
/// replied, or for `patience`. Returns who has replied.
[[nodiscard]] std::set<PeerProgram> offer_key(cluster::Bus& bus, const cluster::Identity& desk,
                                              const PeerList& list, const cluster::NumberedKey& key,
                                              const std::set<PeerProgram>& wanted,
                                              std::chrono::milliseconds patience);

/// Steps 3 to 5. Nothing is to be done without a next key.
///
/// Errors   A file cannot be written, or the server does not take the key; doing it again is safe.
[[nodiscard]] Result<void> finish_key_change(const PeerBook& book);
/// The same for this PC's desk, unless another program is at it. Cheap if nothing is to be done.
[[nodiscard]] Result<void> finish_key_change_if_left();

}  // namespace submix::pairing
