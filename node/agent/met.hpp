// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace submix::agent {

/// How many of the far ends of a patch's streams are there.
enum class Met : std::uint8_t {
  none,
  some,  ///< frames of some senders have come, and those have given up their former receivers
  all,   ///< or nobody can be waited for
};

}  // namespace submix::agent
