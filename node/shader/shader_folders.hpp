// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/catalog.hpp"

#include <filesystem>
#include <vector>

namespace submix::shader {

/// The folders of shaders: $SUBMIX_SHADERS (folders with ':' between) if set, else
/// ~/.local/share/submix/shaders, /usr/local/share/submix/shaders, and the shaders that come with
/// Submix. An earlier folder wins.
[[nodiscard]] std::vector<std::filesystem::path> shader_folders();

/// Adds every shader of these folders as "isf/NAME".
void add_shaders(plugin::Catalog& catalog, const std::vector<std::filesystem::path>& folders);

}  // namespace submix::shader
