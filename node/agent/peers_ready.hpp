// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace submix::agent {

/// How many peers of a patch's streams are ready.
enum class PeersReady : std::uint8_t {
  none,
  some,  ///< some senders have sent frames; they have left their former receivers
  all,   ///< all are ready, or no peer can be waited for
};

}  // namespace submix::agent
