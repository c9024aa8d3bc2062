// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/show_key.hpp"

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

/// Whether the NATS server at `url` runs already and takes `key`: as a service, for example.
///
/// Threads  Blocks for up to a few seconds.
/// Errors   A server of another key, or of none, is there.
[[nodiscard]] Result<bool> is_served(const std::string& url, const cluster::ShowKey& key);

/// From now on this user's programs on this PC go to the server at `url`.
///
/// Errors   As cluster::write_membership().
[[nodiscard]] Result<void> join_own_desk(const std::string& url, const cluster::ShowKey& key);

}  // namespace submix::pairing
