// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace submix::agent {

/// How many peers of a patch's streams are ready.
enum class PeersReady : std::uint8_t {
  /// Some senders have sent frames; they have left their former receivers.
  /// All are ready, or no peer can be waited for.
  none,
  some,
  all,
};

}  // namespace submix::agent
