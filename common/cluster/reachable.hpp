// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string_view>

namespace submix::cluster {

/// Whether a NATS server answers at `url`, even if it asks for another key.
/// Cost     Blocks up to `patience`.
[[nodiscard]] bool is_reachable(std::string_view url,
                                std::chrono::milliseconds patience = std::chrono::seconds(1));

}  // namespace submix::cluster
