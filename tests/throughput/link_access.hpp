// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/wire/seal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::throughput {

/// The streams' key of a show's key file; empty without a file.
[[nodiscard]] Result<std::optional<wire::Key>> read_stream_key(const std::string& file);

/// `wanted`, or what this machine offers to streams. Fails on addresses that others can reach where there is
/// no key.
[[nodiscard]] Result<std::vector<std::string>> data_addresses(
    const std::vector<std::string>& wanted, bool has_key);

/// Fails on an address that others can reach where there is no key.
[[nodiscard]] Result<void> check_reach(const std::string& address, bool has_key);

}  // namespace submix::throughput
