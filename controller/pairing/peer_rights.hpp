// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/rights.hpp"
#include "common/cluster/show_key.hpp"
#include "controller/local/nats_users.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/peer_removal.hpp"

#include <string>
#include <vector>

/// What each PC may do. The desk's NATS server has a login for each PC of the list, and one that
/// all with the show's key share. While somebody may not do everything, there is no shared login,
/// because that PC has the key, too.
namespace submix::pairing {

/// Of the desk's own programs.
[[nodiscard]] cluster::NatsLogin own_login(const cluster::Identity& desk,
                                           const cluster::ShowKey& key);
/// Whom the NATS server of the desk `desk` lets in.
[[nodiscard]] std::vector<local::NatsUser> nats_users(const cluster::Identity& desk,
                                                      const PeerList& list,
                                                      const cluster::ShowKey& key);

/// Tells the NATS server of the list, if it runs, its key and whom it lets in.
///
/// Errors   As local::set_nats_users().
[[nodiscard]] Result<void> set_users_of_peers(const cluster::Identity& desk, const PeerList& list,
                                              const cluster::ShowKey& key);

/// What a PC may do, after its name: "may watch the show, and change nothing".
[[nodiscard]] std::string words_of(const Peer& peer);

/// Lets a PC of this desk's list do this much, from now on. With Rights::render it may speak as the
/// nodes that it has now.
///
/// Threads  Any. Blocks for about a second, and while `consent` does: programs without an identity
///          are cut off as soon as one PC may not do everything.
/// Errors   As remove_peer(). A PC that plays in the show cannot become one that only watches.
[[nodiscard]] Result<Peer> set_rights(const cluster::PublicKey& pc, cluster::Rights rights,
                                      const Consent& consent);

}  // namespace submix::pairing
