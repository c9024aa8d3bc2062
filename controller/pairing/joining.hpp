// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/join_desk.hpp"
#include "controller/pairing/pairing_code.hpp"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

/// This PC as one that joins a desk.
namespace submix::pairing {

/// "198.18.0.1", "desk.local", "fd00::1", each with or without ":4223"; blanks around it are left
/// out. `usual_port`: without one.
///
/// Errors   Other words, and the port of NATS.
[[nodiscard]] Result<HostPort> parse_desk_end(const std::string& typed,
                                              std::uint16_t usual_port = kDefaultPort);

/// Whether `folder` may take a membership.
///
/// Errors   There is one already, or the folder cannot be written.
[[nodiscard]] Result<void> check_free(const std::filesystem::path& folder);

/// Joins the desk at one of its `ends` by the code that it shows, and keeps the membership in
/// `folder`.
///
/// Threads  Blocks as join_desk().
/// Errors   As check_free() and join_desk().
[[nodiscard]] Result<cluster::Membership> join(const std::filesystem::path& folder,
                                               const std::vector<HostPort>& ends,
                                               const PairingCode& code,
                                               const std::stop_token& stop = {});

/// Keeps in `folder` what a desk's invitation says. `pairing_port`: of a desk that does not say it.
///
/// Errors   As check_free(), or it cannot be written.
[[nodiscard]] Result<cluster::Membership> keep(const std::filesystem::path& folder,
                                               const Invitation& invitation,
                                               std::uint16_t pairing_port = kDefaultPort);

}  // namespace submix::pairing
