// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix {

/// "srt://198.51.100.7:9000": the part of an address that logs and strangers may see. User, path
/// and options stay away: they may hold a password or a stream's key. Another text stays as it is.
[[nodiscard]] std::string shown_address(const std::string& address);

}  // namespace submix
