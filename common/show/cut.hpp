// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace submix::show {

/// At most the first `bytes_max` bytes of `text`, cut between letters, with "…" where text is left
/// out.
[[nodiscard]] std::string cut(std::string_view text, std::size_t bytes_max);

}  // namespace submix::show
