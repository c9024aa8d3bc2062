// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>

namespace submix::io {

/// The direction of the pictures, as seen from the node.
enum class Traffic { outgoing, incoming };

/// Whether FFmpeg may open `address`, which comes from a show.
///
/// Errors   The address has an unknown scheme or option, no host, or a forbidden character, or it
///          is a file name. The error does not repeat the address, which may contain a secret.
[[nodiscard]] Result<void> check_network_address(const std::string& address, Traffic traffic);

/// FFmpeg's name of the muxer for a checked address to send to.
[[nodiscard]] const char* muxer_of(const std::string& address);

}  // namespace submix::io
