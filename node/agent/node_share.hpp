// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string_view>

namespace submix::agent {

/// The part of a show that concerns `node`: its submixes, and all streams that begin or end in one of them.
[[nodiscard]] show::Show share_of(const show::Show& show, std::string_view node);

}  // namespace submix::agent
