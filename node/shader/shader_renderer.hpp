// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/parameters.hpp"
#include "node/shader/shader_source.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace submix::shader {

/// The moment of a frame, as shaders see it.
struct Moment {
  std::chrono::nanoseconds time{0};   ///< `TIME`
  std::chrono::nanoseconds delta{0};  ///< `TIMEDELTA`, since the frame before
  std::uint64_t frame = 0;            ///< `FRAMEINDEX`
};

/// Draws a shader's frames.
///
/// Shape    Pictures are R,G,B,A, the highest row first, all of one size.
/// Owner    A GlContext, current on this thread, outlives the renderer.
/// Threads  Confined.
/// Cost     draw(): each input is copied twice, because OpenGL begins with the lowest row. Uniforms
///          are looked up by name, and each pass allocates a small list of its samplers.
class ShaderRenderer {
 public:
  /// Errors   The compiler's message, or a pass whose size cannot be computed.
  [[nodiscard]] static Result<std::unique_ptr<ShaderRenderer>> make(const ShaderSource& source,
                                                                    Size size);
  ShaderRenderer(const ShaderRenderer&) = delete;
  ShaderRenderer& operator=(const ShaderRenderer&) = delete;
  ~ShaderRenderer();

  /// Sets an input by its name, as a plugin's parameter (see shader_description.hpp).
  void set(std::string_view name, const show::ParameterValue& value);
  /// `inputs` are as many as picture_inputs().
  void draw(const Moment& moment, std::span<const std::span<const std::uint8_t>> inputs,
            std::span<std::uint8_t> output);

 private:
  class Parts;
  explicit ShaderRenderer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace submix::shader
