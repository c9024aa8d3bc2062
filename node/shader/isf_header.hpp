// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace submix::shader {

enum class InputType {
  event,
  boolean,
  choice,
  number,
  point,
  color,
  image,
  waves,    ///< ISF's "audio"
  spectrum  ///< ISF's "audioFFT"
};

/// A thing that people set, or a picture or sound that the shader reads.
struct IsfInput {
  std::string name;
  InputType type = InputType::number;
  std::string label = {};
  std::vector<double> initial = {};  ///< as many as the type has parts; empty: not stated
  std::vector<double> minimum = {};
  std::vector<double> maximum = {};
  std::vector<int> values = {};           ///< of a choice
  std::vector<std::string> choices = {};  ///< their names
};

/// One run of the shader over a picture.
struct IsfPass {
  std::string target = {};  ///< the picture that later passes read; empty: the output
  std::string width = {};   ///< an expression; empty: as wide as the output
  std::string height = {};
  bool is_persistent = false;  ///< the picture is kept for the next frame
  bool is_float = false;       ///< its parts are floating-point numbers
};

/// A picture from a file beside the shader.
struct IsfImport {
  std::string name;
  std::string file;
};

/// The header of a shader: a JSON object in the file's first comment.
struct IsfHeader {
  std::string description = {};
  std::string credit = {};
  std::vector<IsfInput> inputs = {};
  std::vector<IsfPass> passes = {};  ///< at least one
  std::vector<IsfImport> imports = {};
};

/// Limits of a file, since anybody may have written it.
inline constexpr std::size_t kIsfBytesMax = std::size_t{1} << 20U;
inline constexpr std::size_t kIsfInputsMax = 64;
inline constexpr std::size_t kIsfPassesMax = 32;
inline constexpr std::size_t kIsfImportsMax = 8;

/// A header's number as a whole one, within its limits.
[[nodiscard]] int whole_number(double number);

/// Reads the header of a fragment shader's text.
///
/// Errors   There is no header, it is no JSON, a name is no identifier, or a limit is exceeded.
/// Source   Interactive Shader Format 2, "The ISF JSON Attributes".
[[nodiscard]] Result<IsfHeader> parse_isf(std::string_view text);

}  // namespace submix::shader
