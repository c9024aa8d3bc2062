// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/plugin.hpp"

#include <cstddef>
#include <span>
#include <vector>

/// What a process that looked at a plugin's library tells of it, as one message: what the plugin is, or why
/// the library cannot be loaded.
namespace submix::host {

[[nodiscard]] std::vector<std::byte> encode(const Result<plugin::Description>& report);

/// Errors: those of the library; or the bytes are no report, for whoever sent them is not trusted. A
/// description that comes through has an initial value of each parameter's type, and within its limits.
[[nodiscard]] Result<plugin::Description> decode_report(std::span<const std::byte> bytes);

}  // namespace submix::host
