// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/key_message.hpp"
#include "common/cluster/key_question.hpp"
#include "controller/pairing/invitation.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

/// This PC as a desk.
namespace submix::pairing {

/// The key of the desk that this PC is for this user. Empty: it is none.
[[nodiscard]] Result<std::optional<cluster::ShowKey>> key_of_own_desk();

/// The same, or a new key if this PC has joined nothing.
///
/// Errors   This PC has joined another desk.
[[nodiscard]] Result<cluster::ShowKey> key_for_own_desk();

/// Where PCs join this desk, as they remember it. Without a desk the usual port.
[[nodiscard]] std::uint16_t pairing_port_of_own_desk();

/// For a connection to a NATS server with `key`: by this PC's own login, if this PC's desk has that
/// key. The desk's server may take no other.
[[nodiscard]] cluster::BusSettings own_settings(const std::string& url,
                                                const std::optional<cluster::ShowKey>& key);

/// A connection to the NATS server of this desk.
///
/// Threads  As cluster::Bus::connect().
/// Errors   This PC is no desk, or nothing answers.
[[nodiscard]] Result<std::unique_ptr<cluster::Bus>> connect_to_own_desk();
/// The same. Null: an error.
[[nodiscard]] std::unique_ptr<cluster::Bus> bus_of_own_desk();

/// Whether a PC that this desk invites finds the show.
///
/// Threads  As cluster::Bus::connect().
/// Errors   This PC is no desk, or its NATS server does not answer.
[[nodiscard]] Result<void> check_own_desk_serves();

/// Whether the NATS server at `url` runs already and takes `key`: as a service, for example.
///
/// Threads  Blocks for up to a few seconds.
/// Errors   A server of another key, or of none, is there.
[[nodiscard]] Result<bool> is_served(const std::string& url, const cluster::ShowKey& key);

/// From now on this user's programs on this PC go to the server at `url`, whose files are in
/// `nats_folder`, and PCs that join remember `pairing_port`. A list of PCs that cannot be read
/// stays as it is: see ServerUsers.
///
/// Errors   As cluster::write_membership(), and a list of PCs that cannot be written. The desk has
///          lost its identity, or has got a new key meanwhile.
[[nodiscard]] Result<void> join_own_desk(const std::string& url, const cluster::ShowKey& key,
                                         const std::filesystem::path& nats_folder,
                                         std::uint16_t pairing_port = cluster::kPairingPort);

/// Writes down a PC that joins, and invites it to the servers at `nats_url`.
///
/// Threads  Any. May wait for a program that changes the list.
/// Errors   This PC is no desk any more, or the list cannot be written.
[[nodiscard]] Result<Admission> admit_to_own_desk(const Joiner& pc, const std::string& nats_url);
/// The same, for a PC that reaches this desk at `own_address`: the servers are those of all cards.
[[nodiscard]] Result<Admission> admit_by_own_desk(const Joiner& pc, const std::string& own_address);
/// The show's present key, sealed for a PC that asks. Empty: the list does not have it.
[[nodiscard]] std::optional<std::string> answer_of_own_desk(const cluster::KeyQuestion& question);

}  // namespace submix::pairing
