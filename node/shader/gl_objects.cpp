// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/gl_objects.hpp"

#include "common/base/plain_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace submix::shader {
namespace {

constexpr GLuint kPosition = 0;  // the attribute isf_position
constexpr std::size_t kLogBytesMax = 4096;
constexpr std::size_t kMessageBytesMax = 300;

// The first error usually causes the others. Mesa writes "0:12(5): error: what", others differ.
std::string first_error(std::string_view log) {
  const auto at = log.find("error");
  const auto begin = at == std::string_view::npos ? 0 : log.rfind('\n', at) + 1;
  auto line = plain_text(log.substr(begin, log.find('\n', begin) - begin), kMessageBytesMax);
  unsigned number = 0;
  if (std::sscanf(line.c_str(), "0:%u(", &number) != 1) return line;
  const auto text = line.find("error: ");
  if (text == std::string::npos) return line;
  return fmt::format("line {}: {}", number, line.substr(text + 7));
}

/// A shader of one stage, deleted at the end of its scope: the program keeps what it needs.
class Stage {
 public:
  Stage(GLenum kind, const std::string& text) : shader_(::glCreateShader(kind)) {
    const char* const source = text.c_str();
    ::glShaderSource(shader_, 1, &source, nullptr);
    ::glCompileShader(shader_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { ::glDeleteShader(shader_); }

  [[nodiscard]] Result<void> check() const {
    GLint is_compiled = GL_FALSE;
    ::glGetShaderiv(shader_, GL_COMPILE_STATUS, &is_compiled);
    if (is_compiled == GL_TRUE) return {};
    std::array<GLchar, kLogBytesMax> log{};
    ::glGetShaderInfoLog(shader_, static_cast<GLsizei>(log.size()), nullptr, log.data());
    return fail("{}", first_error(log.data()));
  }
  [[nodiscard]] GLuint name() const { return shader_; }

 private:
  const GLuint shader_;
};

Result<void> link(GLuint program) {
  ::glLinkProgram(program);
  GLint is_linked = GL_FALSE;
  ::glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked == GL_TRUE) return {};
  std::array<GLchar, kLogBytesMax> log{};
  ::glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
  return fail("{}", first_error(log.data()));
}

GLuint make_corners() {
  constexpr std::array<GLfloat, 8> kCorners{0, 0, 1, 0, 0, 1, 1, 1};
  GLuint buffer = 0;
  ::glGenBuffers(1, &buffer);
  ::glBindBuffer(GL_ARRAY_BUFFER, buffer);
  ::glBufferData(GL_ARRAY_BUFFER, sizeof(kCorners), kCorners.data(), GL_STATIC_DRAW);
  return buffer;
}

/// Whether the driver reads pixels with the highest row first: Mesa's drivers do.
bool turns_when_read() {
  static const bool kTurns = [] {
    GLint count = 0;
    ::glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLuint i = 0; i < static_cast<GLuint>(count); ++i) {
      const auto* name = reinterpret_cast<const char*>(::glGetStringi(GL_EXTENSIONS, i));
      if (name != nullptr && std::string_view(name) == "GL_MESA_pack_invert") return true;
    }
    return false;
  }();
  return kTurns;
}

void turn_in_place(std::span<std::uint8_t> rgba, Size size) {
  const auto row_bytes = rgba.size() / static_cast<std::size_t>(size.height);
  auto low = rgba.size() - row_bytes;
  for (std::size_t high = 0; high < low; high += row_bytes, low -= row_bytes)
    std::ranges::swap_ranges(rgba.subspan(high, row_bytes), rgba.subspan(low, row_bytes));
}

}  // namespace

Texture::Texture(Size size, Format format) : size_(size) {
  ::glGenTextures(1, &texture_);
  ::glBindTexture(GL_TEXTURE_2D, texture_);
  ::glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  ::glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  ::glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  ::glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  const auto inner = format == Format::rgba8 ? GL_RGBA8 : GL_RGBA32F;
  const GLenum part = format == Format::rgba8 ? GL_UNSIGNED_BYTE : GL_FLOAT;
  ::glTexImage2D(GL_TEXTURE_2D, 0, inner, size.width, size.height, 0, GL_RGBA, part, nullptr);
  ::glGenFramebuffers(1, &target_);
  ::glBindFramebuffer(GL_FRAMEBUFFER, target_);
  ::glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  ::glClearColor(0, 0, 0, 0);
  ::glClear(GL_COLOR_BUFFER_BIT);
}

Texture::~Texture() {
  ::glDeleteFramebuffers(1, &target_);
  ::glDeleteTextures(1, &texture_);
}

void Texture::upload(std::span<const std::uint8_t> rgba) const {
  ::glBindTexture(GL_TEXTURE_2D, texture_);
  ::glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE,
                    rgba.data());
}

void Texture::download_turned(std::span<std::uint8_t> rgba) const {
  ::glBindFramebuffer(GL_READ_FRAMEBUFFER, target_);
  const auto read = [&] {
    ::glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  };
  if (!turns_when_read()) {
    read();
    return turn_in_place(rgba, size_);
  }
  ::glPixelStorei(GL_PACK_INVERT_MESA, GL_TRUE);
  read();
  ::glPixelStorei(GL_PACK_INVERT_MESA, GL_FALSE);
}

void Texture::copy_to(const Texture& other) const {
  ::glBindFramebuffer(GL_READ_FRAMEBUFFER, target_);
  ::glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other.target_);
  ::glBlitFramebuffer(0, 0, size_.width, size_.height, 0, 0, other.size_.width, other.size_.height,
                      GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

void Texture::begin_drawing() const {
  ::glBindFramebuffer(GL_FRAMEBUFFER, target_);
  ::glViewport(0, 0, size_.width, size_.height);
}

Result<Program> Program::make(const std::string& vertex, const std::string& fragment) {
  const Stage vertices(GL_VERTEX_SHADER, vertex);
  SUBMIX_TRY(vertices.check());
  const Stage fragments(GL_FRAGMENT_SHADER, fragment);
  SUBMIX_TRY(fragments.check());
  Program program(::glCreateProgram(), make_corners());
  ::glAttachShader(program.program_, vertices.name());
  ::glAttachShader(program.program_, fragments.name());
  ::glBindAttribLocation(program.program_, kPosition, "isf_position");
  SUBMIX_TRY(link(program.program_));
  return program;
}

Program::~Program() {
  ::glDeleteProgram(program_);
  ::glDeleteBuffers(1, &corners_);
}

void Program::draw() const {
  ::glBindBuffer(GL_ARRAY_BUFFER, corners_);
  ::glEnableVertexAttribArray(kPosition);
  ::glVertexAttribPointer(kPosition, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  ::glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace submix::shader
