// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/shader/isf_header.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace submix::shader {

/// For whom a shader was written. The plain styles have no header.
enum class Style {
  isf,        ///< Interactive Shader Format
  shadertoy,  ///< has `void mainImage(out vec4, in vec2)`
  sandbox     ///< has `main()`, and the uniforms `time`, `resolution` and `mouse`
};

/// A shader as its files state it.
struct ShaderSource {
  Style style = Style::isf;
  IsfHeader header = {};
  std::string fragment = {};          ///< GLSL, without a `#version`
  std::string vertex = {};            ///< empty: a rectangle
  std::filesystem::path folder = {};  ///< where imported pictures lie
};

/// The pictures that a frame is made of, in the order of the plugin's inputs: `startImage` before
/// `endImage`, otherwise as the header lists them.
[[nodiscard]] std::vector<std::string> picture_inputs(const IsfHeader& header);

/// Reads a fragment shader's text, and guesses its style if it has no header.
///
/// Errors   Neither a header nor a function that draws; see parse_isf().
[[nodiscard]] Result<ShaderSource> read_source(std::string_view text);
/// Reads NAME.fs, and NAME.vs beside it if there is one.
///
/// Errors   The messages name the file.
[[nodiscard]] Result<ShaderSource> load_source(const std::filesystem::path& file);

/// The GLSL of both stages for a compiler of this version, such as "130".
struct Glsl {
  std::string vertex;
  std::string fragment;
};
[[nodiscard]] Glsl glsl_of(const ShaderSource& source, std::string_view version);

}  // namespace submix::shader
