// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>

namespace submix {

/// The reason for a refusal; "admitted" where there is none.
template <typename Value, typename Reason>
[[nodiscard]] std::string why(const tl::expected<Value, Reason>& result) {
  return result ? "admitted" : result.error().message;
}

}  // namespace submix
