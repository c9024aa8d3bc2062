// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace submix::shader {

/// What became of a shader that was tried on test pictures.
struct ShaderTrial {
  std::string kind = {};  ///< "source", "filter", "mixer2"; empty: the file is no shader
  bool is_compiled = false;
  bool is_drawn = false;     ///< neither one colour nor an unchanged input
  double frame_ms = 0;       ///< time for a frame of 1280x720 on this machine: the median of some
  std::string problem = {};  ///< why it is not; empty: all is well
};

/// Draws some frames of a shader, with its initial values and then with others: many filters change
/// nothing with their initial values. A GlContext is current.
[[nodiscard]] ShaderTrial try_shader(const std::filesystem::path& file);

/// One line of JSON: file, kind, compiled, drawn, frame_ms, problem.
[[nodiscard]] std::string to_json(const std::filesystem::path& file, const ShaderTrial& trial);

}  // namespace submix::shader
