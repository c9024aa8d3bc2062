// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/plugin.hpp"

#include <cstddef>
#include <span>
#include <vector>

/// The message in which a probe process describes a library: the plugin's description, or why the
/// library cannot be loaded.
namespace submix::host {

[[nodiscard]] std::vector<std::byte> encode(const Result<plugin::Description>& report);

/// Errors   The library's own error, or the bytes are no report. The sender is not trusted: an
///          accepted description has an initial value of each parameter's type and within its
///          limits.
[[nodiscard]] Result<plugin::Description> decode_report(std::span<const std::byte> bytes);

}  // namespace submix::host
