// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"

#include <string_view>

/// Search for plugins by typed words, in capital or small letters. Pure.
namespace submix::ui {

/// Whether the plugin's id, name, category, kind and explanation contain all words of the query.
[[nodiscard]] bool has_words(const cluster::PluginSummary& plugin, std::string_view query);
/// Smaller is better. Best is a name (in the id, or as people see it) that equals the query, then a
/// name that begins with the query, then a name that contains it, then a match of other texts.
[[nodiscard]] int rank_of(const cluster::PluginSummary& plugin, std::string_view query);

}  // namespace submix::ui
