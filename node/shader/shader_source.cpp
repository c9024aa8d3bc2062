// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

// A line directive before the file's own text: errors have the file's line numbers.

namespace submix::shader {
namespace {

constexpr std::array<std::string_view, 4> kChannels{"iChannel0", "iChannel1", "iChannel2",
                                                    "iChannel3"};

constexpr std::string_view kSampler = "sampler2D";
constexpr std::string_view kUniforms = R"(
uniform int PASSINDEX;
uniform vec2 RENDERSIZE;
uniform float TIME;
uniform float TIMEDELTA;
uniform vec4 DATE;
uniform int FRAMEINDEX;
varying vec2 isf_FragNormCoord;
#define vv_FragNormCoord isf_FragNormCoord
#define IMG_SIZE(image) vec2(textureSize(image, 0))
#define IMG_NORM_PIXEL(image, at) texture2D(image, at)
#define IMG_PIXEL(image, at) texture2D(image, (at) / IMG_SIZE(image))
#define IMG_THIS_NORM_PIXEL(image) texture2D(image, isf_FragNormCoord)
#define IMG_THIS_PIXEL(image) texture2D(image, isf_FragNormCoord)
)";

constexpr std::string_view kVertexBegin = R"(
attribute vec2 isf_position;
void isf_vertShaderInit() {
  gl_Position = vec4(isf_position * 2.0 - 1.0, 0.0, 1.0);
  isf_FragNormCoord = isf_position;
}
#define vv_vertShaderInit isf_vertShaderInit
)";
constexpr std::string_view kRectangle = "void main() { isf_vertShaderInit(); }\n";

constexpr std::string_view kShadertoyUniforms = R"(
#define iResolution vec3(RENDERSIZE, 1.0)
#define iTime TIME
#define iGlobalTime TIME
#define iTimeDelta TIMEDELTA
#define iFrame FRAMEINDEX
#define iFrameRate (1.0 / max(TIMEDELTA, 0.001))
#define iDate DATE
#define iMouse vec4(0.0)
#define iSampleRate 48000.0
)";
constexpr std::string_view kShadertoyMain = R"(
void main() {
  vec4 isf_color = vec4(0.0);
  mainImage(isf_color, gl_FragCoord.xy);
  gl_FragColor = vec4(isf_color.rgb, 1.0);
}
)";

std::string_view uniform_type(InputType type) {
  switch (type) {
    case InputType::event:
    case InputType::boolean:
      return "bool";
    case InputType::choice:
      return "int";
    case InputType::number:
      return "float";
    case InputType::point:
      return "vec2";
    case InputType::color:
      return "vec4";
    case InputType::image:
    case InputType::waves:
    case InputType::spectrum:
      return kSampler;
  }
  return "float";
}

// Old shaders read what ISF's first implementations made of IMG_SIZE.
std::string uniforms_of_picture(const std::string& name) {
  return fmt::format(
      "uniform {} {};\n"
      "#define _{}_imgSize IMG_SIZE({})\n"
      "#define _{}_imgRect vec4(0.0, 0.0, IMG_SIZE({}))\n"
      "#define _{}_flip false\n",
      kSampler, name, name, name, name, name, name);
}

std::string uniforms_of(const IsfHeader& header) {
  std::string text(kUniforms);
  std::set<std::string> pictures;
  for (const auto& input : header.inputs) {
    const auto type = uniform_type(input.type);
    if (type == kSampler) pictures.insert(input.name);
    if (type != kSampler) text += fmt::format("uniform {} {};\n", type, input.name);
  }
  for (const auto& pass : header.passes) {
    if (!pass.target.empty()) pictures.insert(pass.target);
  }
  for (const auto& import : header.imports)
    pictures.insert(import.name);
  for (const auto& name : pictures)
    text += uniforms_of_picture(name);
  return text;
}

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

/// Whether a header that cannot be read was meant for ISF. Many files state no version.
bool is_meant_for_isf(std::string_view text) {
  constexpr std::array<std::string_view, 4> kKeys{"\"ISFVSN\"", "\"INPUTS\"", "\"PASSES\"",
                                                  "\"IMPORTED\""};
  return std::ranges::any_of(kKeys, [text](std::string_view key) { return has_word(text, key); });
}

/// A shader of another site: its channels are pictures.
IsfHeader header_of_plain(std::string_view text) {
  IsfHeader header{.passes = {{}}};
  for (const auto channel : kChannels) {
    if (has_word(text, channel))
      header.inputs.push_back({.name = std::string(channel), .type = InputType::image});
  }
  return header;
}

// The line stays, so that the numbers of the following lines do not change.
std::string without_version(std::string_view text) {
  std::string kept(text);
  for (std::size_t at = kept.find("#version"); at != std::string::npos;
       at = kept.find("#version", at))
    kept.replace(at, std::string_view("#version").size(), "//");
  return kept;
}

Result<std::string> text_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) return fail("{}: cannot be read", file.string());
  if (text.size() > kIsfBytesMax)
    return fail("{}: {} bytes > {}", file.string(), text.size(), kIsfBytesMax);
  return text;
}

}  // namespace

std::vector<std::string> picture_inputs(const IsfHeader& header) {
  std::vector<std::string> names;
  for (const auto& input : header.inputs) {
    if (input.type == InputType::image) names.push_back(input.name);
  }
  const auto start = std::ranges::find(names, "startImage");
  const auto end = std::ranges::find(names, "endImage");
  if (start != names.end() && end < start) std::iter_swap(start, end);
  return names;
}

Result<ShaderSource> read_source(std::string_view text) {
  auto header = parse_isf(text);
  if (header) return ShaderSource{.header = std::move(*header), .fragment = without_version(text)};

  const bool is_toy = has_word(text, "mainImage");
  if (is_meant_for_isf(text) || (!is_toy && !has_word(text, "main")))
    return tl::unexpected(std::move(header).error());
  return ShaderSource{.style = is_toy ? Style::shadertoy : Style::sandbox,
                      .header = header_of_plain(text),
                      .fragment = without_version(text)};
}

Result<ShaderSource> load_source(const std::filesystem::path& file) {
  const auto text = text_of_file(file);
  SUBMIX_TRY(text);
  auto source = read_source(*text);
  if (!source) return fail("{}: {}", file.string(), source.error().message);
  source->folder = file.parent_path();
  auto vertex_file = file;
  vertex_file.replace_extension(".vs");
  std::error_code error;
  if (source->style != Style::isf || !std::filesystem::exists(vertex_file, error)) return source;
  const auto vertex = text_of_file(vertex_file);
  SUBMIX_TRY(vertex);
  source->vertex = without_version(*vertex);
  return source;
}

Glsl glsl_of(const ShaderSource& source, std::string_view version) {
  const auto begin = fmt::format("#version {}\n{}", version, uniforms_of(source.header));
  // Until GLSL 3.30 the directive numbers its own line.
  const auto* const first_line = version.starts_with('1') ? "#line 0\n" : "#line 1\n";
  Glsl glsl{begin, begin};
  glsl.vertex += kVertexBegin;
  glsl.vertex += source.vertex.empty() ? kRectangle : first_line + source.vertex;
  if (source.style == Style::shadertoy) glsl.fragment += kShadertoyUniforms;
  glsl.fragment += first_line + source.fragment;
  if (source.style == Style::shadertoy) glsl.fragment += kShadertoyMain;
  return glsl;
}

}  // namespace submix::shader
