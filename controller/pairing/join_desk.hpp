// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "common/cluster/key_question.hpp"
#include "controller/pairing/invitation.hpp"
#include "controller/pairing/pairing_code.hpp"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::pairing {

inline constexpr std::uint16_t kDefaultPort = cluster::kPairingPort;

/// Asks a desk for an invitation by the code that it shows, at the first of its ends that answers.
/// `pc` is this PC: its name for the desk's person, and its public key.
///
/// Threads  Blocks for up to 15 seconds, three of them for each end that does not
///          answer; and for as long as a name takes to be resolved. A stop request ends the wait.
/// Errors   Nobody answers there, the desk refuses, or it does not know the code itself.
[[nodiscard]] Result<Invitation> join_desk(const std::vector<HostPort>& desk,
                                           const PairingCode& code, const Joiner& pc,
                                           const std::stop_token& stop = {});

}  // namespace submix::pairing
