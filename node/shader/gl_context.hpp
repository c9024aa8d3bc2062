// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <memory>
#include <string>

namespace submix::shader {

/// OpenGL without a window or a display server: on a GPU if the system has one that this process
/// may use, else on the CPU (Mesa's software renderer).
///
/// Threads  Confined: current on the thread that opened it, for its whole life.
/// Errors   The system has no EGL, or no OpenGL of version 3.0 or more.
class GlContext {
 public:
  [[nodiscard]] static Result<std::unique_ptr<GlContext>> open();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;
  ~GlContext();

  /// The renderer's own name: "llvmpipe (LLVM 15.0.6, 256 bits)".
  [[nodiscard]] const std::string& renderer() const { return renderer_; }

 private:
  GlContext(void* display, void* context);

  void* const display_;
  void* const context_;
  std::string renderer_;
};

}  // namespace submix::shader
