// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/identity.hpp"
#include "controller/pairing/peer_list.hpp"

#include <functional>
#include <string>
#include <vector>

/// The PCs that have joined this desk by code: which are connected, and how one is shut out. The
/// command line and the window use both.
namespace submix::pairing {

/// A PC of the desk's list.
struct PeerNow {
  Peer peer;
  std::vector<std::string> programs{};  ///< that are connected: "submix-node left"

  friend bool operator==(const PeerNow&, const PeerNow&) = default;
};

/// "left" of "submix-node left".
[[nodiscard]] std::vector<std::string> nodes_of(const PeerNow& peer);

/// "submix-node left" of "left".
[[nodiscard]] std::string node_program(const std::string& node);

struct PeersNow {
  std::vector<PeerNow> peers{};
  bool is_served = false;      ///< false: nobody knows which programs are connected
  bool is_unfinished = false;  ///< a removal was broken off, and goes on by itself
  /// Nodes that run, but could take no new key: their key came by file or by an older Submix.
  std::vector<std::string> nodes_without_identity{};

  friend bool operator==(const PeersNow&, const PeersNow&) = default;
};

/// The list of this PC's desk.
///
/// Errors   This PC keeps no list, or its files cannot be read; the message tells the remedy.
[[nodiscard]] Result<PeerList> list_of_own_desk();

/// Asks all programs of this PC's desk who they are.
///
/// Threads  Any. Blocks for about a quarter of a second; without an answer of the server, for two.
/// Errors   As list_of_own_desk().
[[nodiscard]] Result<PeersNow> peers_now();

/// A program that did not answer in time. It asks this desk for the new key.
struct SilentProgram {
  std::string program;  ///< "submix-node right"
  std::string pc;       ///< "rack2", or "this PC"
};

struct Removal {
  Peer peer;
  /// The nodes that ran on the PC, also silent ones. Nobody hears of these nodes any more.
  std::vector<std::string> nodes{};
  std::vector<SilentProgram> without_reply{};
};

/// Whether `nodes`, which run without an identity, may be cut off, too. Not called without such
/// nodes. An error ends the removal before anything has changed.
using Consent = std::function<Result<void>(const std::vector<std::string>& nodes)>;

/// Shuts a PC out: gives the NATS server and everybody else a new key, as key_change.hpp tells.
/// Finishes an earlier removal first.
///
/// Threads  Any. Blocks for about a second, and while `consent` does.
/// Errors   As list_of_own_desk(); the PC is not listed; the server is another program's. Unless
///          the message says otherwise, nothing has changed.
[[nodiscard]] Result<Removal> remove_peer(const cluster::PublicKey& pc, const Consent& consent);

}  // namespace submix::pairing
