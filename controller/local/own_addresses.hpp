// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace submix::local {

/// All addresses of this machine at which others may reach it, in the kernel's order. Loopback and
/// link-local addresses, and cards that are down or without a carrier, are left out.
[[nodiscard]] std::vector<std::string> own_addresses();

}  // namespace submix::local
