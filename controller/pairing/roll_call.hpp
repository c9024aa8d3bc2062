// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the pairing.

#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/key_change.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/peer_removal.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace submix::pairing {

/// This PC as a desk.
struct Desk {
  cluster::Membership membership;
  cluster::Identity identity;
  cluster::NumberedKey key;
};

/// Errors   This PC keeps no list, or its files cannot be read; the message tells the remedy.
[[nodiscard]] Result<Desk> read_desk();

/// The list of this PC's desk, kept from other programs.
struct OpenedList {
  PeerBook book;
  Desk desk;
  PeerList list;
};

/// Errors   As read_desk() and PeerBook::open(). A removal is on its way.
[[nodiscard]] Result<OpenedList> open_list();

/// Who answers, and which nodes are there.
struct RollCall {
  std::set<PeerProgram> programs;
  std::set<std::string> nodes;
  std::map<std::string, std::string> hosts;  ///< of all nodes that have ever reported
};

/// Takes about a quarter of a second.
[[nodiscard]] RollCall find_programs_of_peers(cluster::Bus& bus, const Desk& desk,
                                              const PeerList& list);

/// The nodes that run, but do not answer.
[[nodiscard]] std::vector<std::string> nodes_without_identity(const RollCall& roll);
[[nodiscard]] PeerNow peer_now(const RollCall& roll, const Peer& peer);
/// The nodes of `peer`: those that run, and the silent ones whose computer has its name.
[[nodiscard]] std::vector<std::string> all_nodes_of(const RollCall& roll, const PeerList& list,
                                                    const Peer& peer);

/// Errors   The PC is not listed.
[[nodiscard]] Result<Peer> find_peer(const PeerList& list, const cluster::PublicKey& pc);

/// Asks for consent to cut off the nodes without an identity. Does not keep other programs off the
/// list. Returns who is there.
///
/// Errors   As read_desk(); `pc` is not listed; the server is another program's; no consent.
///          Nothing has changed.
[[nodiscard]] Result<RollCall> ask_consent(const cluster::PublicKey& pc, const Consent& consent);

}  // namespace submix::pairing
