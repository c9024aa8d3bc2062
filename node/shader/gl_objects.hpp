// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/shader/gl.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

/// OpenGL's objects, each deleted with its owner. Confined to the thread of the GlContext, which
/// outlives them.
namespace submix::shader {

/// A picture in OpenGL's memory that shaders can read and be drawn into. Its first row is the
/// picture's lowest, as everywhere in OpenGL.
class Texture {
 public:
  enum class Format { rgba8, rgba_float };

  /// All transparent black.
  Texture(Size size, Format format);
  Texture(Texture&& other) noexcept
      : size_(other.size_),
        texture_(std::exchange(other.texture_, 0)),
        target_(std::exchange(other.target_, 0)) {}
  Texture& operator=(Texture&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(texture_, other.texture_);
    std::swap(target_, other.target_);
    return *this;
  }
  ~Texture();

  /// Takes pixels R,G,B,A of its size, the lowest row first.
  void upload(std::span<const std::uint8_t> rgba) const;
  /// Gives pixels, the highest row first. `rgba` has room for them.
  void download_turned(std::span<std::uint8_t> rgba) const;
  /// Copies the whole picture into `other`, scaled to its size.
  void copy_to(const Texture& other) const;
  /// What is drawn next goes into this picture.
  void begin_drawing() const;

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] GLuint name() const { return texture_; }

 private:
  Size size_;
  GLuint texture_ = 0;
  GLuint target_ = 0;  // the framebuffer that draws into the texture
};

/// A compiled and linked shader, with the rectangle that it draws.
class Program {
 public:
  /// Errors   The compiler's own message; its lines are the file's.
  [[nodiscard]] static Result<Program> make(const std::string& vertex, const std::string& fragment);
  Program(Program&& other) noexcept
      : program_(std::exchange(other.program_, 0)), corners_(std::exchange(other.corners_, 0)) {}
  Program& operator=(Program&&) = delete;
  ~Program();

  /// What is drawn and set next is this program's.
  void use() const { ::glUseProgram(program_); }
  /// Draws the rectangle over the whole target.
  void draw() const;
  /// -1: the program has no such uniform, and setting it has no effect.
  [[nodiscard]] GLint uniform(const std::string& name) const {
    return ::glGetUniformLocation(program_, name.c_str());
  }

 private:
  Program(GLuint program, GLuint corners) : program_(program), corners_(corners) {}

  GLuint program_;
  GLuint corners_;  // the buffer with the rectangle's corners
};

}  // namespace submix::shader
