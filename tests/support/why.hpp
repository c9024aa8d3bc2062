// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <optional>
#include <string>

namespace submix {

/// The reason for a refusal; "admitted" where there is none.
template <typename Value, typename Reason>
[[nodiscard]] std::string why(const tl::expected<Value, Reason>& result) {
  return result ? "admitted" : result.error().message;
}

/// The error; empty where there is none.
template <typename Value, typename Reason>
[[nodiscard]] std::optional<Reason> error_of(const tl::expected<Value, Reason>& result) {
  return result ? std::nullopt : std::optional(result.error());
}

}  // namespace submix
