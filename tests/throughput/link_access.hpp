// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/seal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// The streams' key from a show's key file. Empty without a file.
[[nodiscard]] Result<std::optional<wire::Key>> read_stream_key(const std::string& file);

/// `wanted`, or the addresses that this machine offers to streams. Without a key, fails on
/// addresses that other machines can reach.
[[nodiscard]] Result<std::vector<std::string>> data_addresses(
    const std::vector<std::string>& wanted, bool has_key);

/// Without a key, fails on an address that other machines can reach.
[[nodiscard]] Result<void> check_reach(const std::string& address, bool has_key);

}  // namespace submix::throughput
