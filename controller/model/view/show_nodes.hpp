// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <set>
#include <string>
#include <string_view>

/// The nodes of a show. Pure.
namespace submix::model {

/// Whether the show names the node, or assigns a submix to it. Other nodes may come and go.
[[nodiscard]] bool is_in_show(const show::Show& show, std::string_view node);

/// The nodes to which the show assigns submixes.
[[nodiscard]] std::set<std::string> nodes_with_work(const show::Show& show);

}  // namespace submix::model
