// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>

namespace submix::io {

/// The way that pictures take, as seen from the node.
enum class Traffic { outgoing, incoming };

/// Tells whether FFmpeg may be given `address`, which comes from a show.
///
/// Errors   It has a scheme or an option that is not known here, no host, or characters that no
///          address has. A name of a file is refused. The error does not repeat the address, which
///          may hold a secret.
[[nodiscard]] Result<void> check_network_address(const std::string& address, Traffic traffic);

/// FFmpeg's name of the muxer for an address to send to, which has been checked.
[[nodiscard]] const char* muxer_of(const std::string& address);

}  // namespace submix::io
