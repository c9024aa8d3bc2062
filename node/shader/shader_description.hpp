// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/description.hpp"
#include "node/shader/shader_source.hpp"

#include <array>
#include <filesystem>

namespace submix::shader {

/// A shader as a plugin. A point becomes a position from 0 to 1, a choice the text of its name, an
/// event a switch that counts when it is switched on.
///
/// Errors   More pictures than a plugin takes.
[[nodiscard]] Result<plugin::Description> describe(const ShaderSource& source, std::string id);
/// The same for a file, as "isf/NAME". `source` is what load_source() has read from the file.
[[nodiscard]] Result<plugin::Description> describe_file(const ShaderSource& source,
                                                        const std::filesystem::path& file);
/// The same for a file that is read for its description only.
[[nodiscard]] Result<plugin::Description> describe_file(const std::filesystem::path& file);

/// The numbers that the shader gets for a parameter's value: one, two or four.
[[nodiscard]] std::array<float, 4> uniform_of(const IsfInput& input,
                                              const show::ParameterValue& value, Size size);

}  // namespace submix::shader
