// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// The part of a show that concerns `node`: its submixes, and all streams that begin or end in
/// them.
[[nodiscard]] show::Show share_of(const show::Show& show, std::string_view node);

/// The plugins of a share's slots, each once. `helped` are the plugins with helpers: their memory
/// of former frames must be known. Macros are expanded already.
struct SharePlugins {
  std::vector<std::string> all;
  std::vector<std::string> helped;
};
[[nodiscard]] SharePlugins plugins_of(const show::Show& share);

/// Submixes assigned to other nodes. A submix that has run on `node` continues there until its new
/// node has taken over.
[[nodiscard]] std::set<std::string> assigned_elsewhere(const show::Show& show,
                                                       std::string_view node);

}  // namespace submix::agent
