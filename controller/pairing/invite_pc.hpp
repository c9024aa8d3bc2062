// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/pairing_code.hpp"
#include "controller/pairing/pairing_port.hpp"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace submix::pairing {

/// Where a PC without a show waits. Not the desk's port: both may be the same PC.
inline constexpr std::uint16_t kWaitingPort = 4224;

/// Invites the PC that waits at one of these ends, by the code that it shows. `desk` is this PC.
/// `admit` is called once the PC has proven that it shows this code. Returns what has happened:
/// `joined`.
///
/// Threads  Blocks as join_desk(). `admit` is called on this thread.
/// Errors   Nobody answers there, the PC refuses, it does not know the code itself, or it is not
///          admitted.
[[nodiscard]] Result<PairingEvent> invite_pc(const std::vector<HostPort>& ends,
                                             const PairingCode& code, const Joiner& desk,
                                             const PairingPort::Invite& admit,
                                             const std::stop_token& stop = {});

/// The same, where this PC is the desk: writes the PC into the desk's list.
///
/// Errors   Also: this PC is no desk, or its NATS server does not run.
[[nodiscard]] Result<PairingEvent> invite_to_own_desk(const std::vector<HostPort>& ends,
                                                      const PairingCode& code,
                                                      const std::stop_token& stop = {});

}  // namespace submix::pairing
