// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/local/nats_server.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

/// Starting a NATS server for this machine. Call these functions on the main thread (see
/// ChildProcess).
namespace submix::local {

/// The port of cluster::kDefaultUrl, where programs look for NATS by default.
inline constexpr std::uint16_t kDefaultNatsPort = 4222;

/// On the default port, or on any free port if another show's server or another program has it.
[[nodiscard]] Result<NatsServer> start_nats_where_free(const std::filesystem::path& folder);

/// On the default port, with its files in the state folder, if no server answers there; with a key
/// at all cards, else at loopback. Empty if a server answers, or if none can be started; the reason
/// is logged, and the caller waits for a server.
[[nodiscard]] std::optional<NatsServer> start_nats_where_missing(
    const std::optional<cluster::ShowKey>& key, std::vector<NatsUser> users = {});

}  // namespace submix::local
