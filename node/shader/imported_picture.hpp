// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace submix::shader {

/// A picture R,G,B,A, the highest row first.
struct ImportedPicture {
  Size size;
  std::vector<std::uint8_t> rgba;
};

/// Reads a PNG picture that a shader imports. Transparent parts come over black.
///
/// Errors   The file is not below the shader's folder, is missing, or is no PNG.
[[nodiscard]] Result<ImportedPicture> load_imported(const std::filesystem::path& folder,
                                                    const std::string& file);

}  // namespace submix::shader
