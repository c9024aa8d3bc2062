// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/show_key.hpp"

#include <optional>
#include <string_view>

namespace submix::cluster {

/// Whether a NATS server answers at `url`, even if it has another key. A server logs a client
/// without its key: give the key where it is known.
/// Cost     Blocks up to 2 s.
[[nodiscard]] bool is_reachable(std::string_view url, const std::optional<ShowKey>& key = {});

}  // namespace submix::cluster
