// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Categories of plugins, as people look for them. Pure.
namespace submix::ui {

/// In the order in which lists show them.
enum class Category : std::uint8_t {
  color,
  blur,
  distort,
  stylize,
  keying,
  time,
  measure,
  generator,
  mixer,
  output,
  other,
  count
};

/// "Colour", "Blur and sharpen".
[[nodiscard]] std::string_view title_of(Category category);
/// By the plugin's id. For a plugin that is not in the table: by its kind, then by the words of its
/// explanation, then by whether it remembers frames.
[[nodiscard]] Category category_of(const cluster::PluginSummary& plugin);

}  // namespace submix::ui
