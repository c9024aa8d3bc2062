// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/catalog.hpp"

#include <filesystem>
#include <vector>

namespace submix::shader {

/// The folders of shaders: $SUBMIX_SHADERS (folders with ':' between) if set, and the node's media
/// folder `media`, if it has one. Without that variable ~/.local/share/submix/shaders,
/// /usr/local/share/submix/shaders, `media`, and the shaders that come with Submix. An earlier folder
/// wins.
[[nodiscard]] std::vector<std::filesystem::path> shader_folders(const std::filesystem::path& media);

/// Adds every shader of these folders, NAME.fs or NAME.frag, as "isf/NAME".
void add_shaders(plugin::Catalog& catalog, const std::vector<std::filesystem::path>& folders);

}  // namespace submix::shader
