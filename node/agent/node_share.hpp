// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// The part of a show that concerns `node`: its submixes, and all streams that begin or end in one of them.
[[nodiscard]] show::Show share_of(const show::Show& show, std::string_view node);

/// The plugins that a share's slots name, each once; and of these, those that have helpers: what they keep of
/// their frames must be known. Macros are expanded already.
struct SharePlugins {
  std::vector<std::string> all;
  std::vector<std::string> helped;
};
[[nodiscard]] SharePlugins plugins_of(const show::Show& share);

/// Submixes that other nodes shall run: one that has run on `node` goes on there until its new node has taken
/// over.
[[nodiscard]] std::set<std::string> running_elsewhere(const show::Show& show,
                                                      std::string_view node);

}  // namespace submix::agent
