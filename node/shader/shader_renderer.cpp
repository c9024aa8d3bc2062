// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_renderer.hpp"

#include "common/media/frame.hpp"
#include "node/shader/gl_objects.hpp"
#include "node/shader/imported_picture.hpp"
#include "node/shader/shader_description.hpp"
#include "node/shader/size_expression.hpp"
#include "node/shader/sound_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// 1. A target has two textures: a pass draws into one of them, while it may read the other.
// 2. Drivers differ in the versions of GLSL that old shaders compile with, so several are tried.
// 3. ISF counts rows from below, as OpenGL does, and frames begin with the highest row. Therefore
//    rows are turned round on the way in and out, not in the shader: many read gl_FragCoord. On the
//    way out, Mesa's drivers do it.

namespace submix::shader {
namespace {

constexpr std::array<std::string_view, 4> kVersions{"130", "330 compatibility", "120",
                                                    "450 compatibility"};
constexpr int kSideMax = 8192;

std::size_t bytes_of(Size size) {
  return size.pixels() * media::kBytesPerRgbaPixel;
}

void turn_rows(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, Size size) {
  const auto row = static_cast<std::size_t>(size.width) * media::kBytesPerRgbaPixel;
  for (std::size_t y = 0, last = static_cast<std::size_t>(size.height) - 1; y <= last; ++y)
    std::ranges::copy(from.subspan(y * row, row), to.subspan((last - y) * row).begin());
}

Result<Program> compile(const ShaderSource& source) {
  std::optional<Error> first;
  for (const auto version : kVersions) {
    const auto glsl = glsl_of(source, version);
    auto program = Program::make(glsl.vertex, glsl.fragment);
    if (program) return program;
    if (!first) first = std::move(program).error();
  }
  return tl::unexpected(*std::move(first));
}

std::array<float, 4> date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  const int seconds = (local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec;
  return {static_cast<float>(local.tm_year + 1900), static_cast<float>(local.tm_mon + 1),
          static_cast<float>(local.tm_mday), static_cast<float>(seconds)};
}

float seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::duration<float>>(time).count();
}

/// A picture that passes draw and read.
struct Target {
  Texture drawn;
  Texture read;
  Texture::Format format;

  Target(Size size, Texture::Format texture_format)
      : drawn(size, texture_format), read(size, texture_format), format(texture_format) {}
};

/// A picture of sound, painted anew for each frame.
struct SoundInput {
  std::string name;
  std::vector<std::string> parameters;
  Texture picture{kSoundSize, Texture::Format::rgba8};

  SoundInput(std::string name_given, std::vector<std::string> parameters_given)
      : name(std::move(name_given)), parameters(std::move(parameters_given)) {}
};

/// A texture that the shader reads by a name.
struct Sampler {
  std::string name;
  const Texture* texture;
};

}  // namespace

class ShaderRenderer::Parts {
 public:
  Parts(const ShaderSource& source, Size size, Program program)
      : source_(source),
        size_(size),
        program_(std::move(program)),
        rows_(bytes_of(size)),
        output_(size, Texture::Format::rgba8),
        pictures_(picture_inputs(source.header)) {
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      inputs_.emplace_back(size, Texture::Format::rgba8);
    for (const auto& input : source_.header.inputs) {
      auto parameters = parameters_of_sound(input);
      if (!parameters.empty()) sounds_.emplace_back(input.name, std::move(parameters));
    }
    set_initial_values();
  }

  Result<void> prepare() {
    for (const auto& import : source_.header.imports) {
      auto picture = load_imported(source_.folder, import.file);
      SUBMIX_TRY(picture);
      imports_.emplace_back(picture->size, Texture::Format::rgba8);
      turned_.resize(picture->rgba.size());
      turn_rows(picture->rgba, turned_, picture->size);
      imports_.back().upload(turned_);
    }
    SUBMIX_TRY(make_targets());
    warm_up();
    return make_targets();
  }

  void set(std::string_view name, const show::ParameterValue& value) {
    const auto& inputs = source_.header.inputs;
    const auto input = std::ranges::find(inputs, name, &IsfInput::name);
    if (input != inputs.end()) {
      values_[input->name] = uniform_of(*input, value, size_);
    } else if (const auto* number = std::get_if<double>(&value)) {
      values_[std::string(name)] = {static_cast<float>(*number)};  // of a spectrum
    }
  }

  void draw(const Moment& moment, std::span<const std::span<const std::uint8_t>> inputs,
            std::span<std::uint8_t> output) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      turn_rows(inputs[i], rows_, size_);
      inputs_[i].upload(rows_);
    }
    for (const auto& sound : sounds_)
      upload(sound);
    // Sizes follow the values. Where an expression has no value, the last size stays.
    [[maybe_unused]] const auto followed = make_targets();
    program_.use();
    set_moment(moment);
    set_values();
    for (std::size_t pass = 0; pass < source_.header.passes.size(); ++pass)
      draw_pass(pass);
    output_.download_turned(output);
    if (source_.style == Style::sandbox) make_opaque(output);
    forget_events();
  }

 private:
  void set_initial_values() {
    const auto description = describe(source_, "");
    if (!description) return;
    for (const auto& parameter : description->parameters)
      set(parameter.name, parameter.initial);
  }

  // Drivers compile for the first time that a program draws. Nothing of that picture stays.
  void warm_up() {
    const std::vector<std::uint8_t> input(rows_.size());
    std::vector<std::uint8_t> output(rows_.size());
    draw({}, std::vector<std::span<const std::uint8_t>>(inputs_.size(), input), output);
    targets_.clear();
  }

  void upload(const SoundInput& sound) {
    std::array<float, kSoundParametersMax> loudness{};
    const auto count = sound.parameters.size();
    for (std::size_t i = 0; i < count; ++i)
      loudness[i] = values_[sound.parameters[i]][0];
    std::array<std::uint8_t, kSoundSize.pixels() * media::kBytesPerRgbaPixel> row{};
    paint_sound(std::span(loudness).first(count), row);
    sound.picture.upload(row);
  }

  Result<int> side(const std::string& expression, int of_output) const {
    if (expression.empty()) return of_output;
    const auto value = compute(expression, [this](std::string_view name) {
      if (name == "WIDTH") return std::optional<double>(size_.width);
      if (name == "HEIGHT") return std::optional<double>(size_.height);
      const auto known = values_.find(name);
      return known == values_.end() ? std::nullopt : std::optional<double>(known->second[0]);
    });
    SUBMIX_TRY(value);
    if (!std::isfinite(*value)) return fail("\"{}\" has no value", expression);
    return static_cast<int>(std::clamp(*value, 1.0, static_cast<double>(kSideMax)));
  }

  Result<void> make_targets() {
    for (const auto& pass : source_.header.passes) {
      if (pass.target.empty()) continue;
      const auto width = side(pass.width, size_.width);
      SUBMIX_TRY(width);
      const auto height = side(pass.height, size_.height);
      SUBMIX_TRY(height);
      const Size size{*width, *height};
      const auto format = pass.is_float ? Texture::Format::rgba_float : Texture::Format::rgba8;
      const auto known = targets_.find(pass.target);
      if (known != targets_.end() && known->second.drawn.size() == size) continue;
      targets_.insert_or_assign(pass.target, Target(size, format));
    }
    return {};
  }

  void draw_pass(std::size_t number) {
    const auto& pass = source_.header.passes[number];
    const auto target = targets_.find(pass.target);
    const auto& drawn = target == targets_.end() ? output_ : target->second.drawn;
    drawn.begin_drawing();
    ::glUniform1i(program_.uniform("PASSINDEX"), static_cast<GLint>(number));
    const Size size = drawn.size();
    for (const auto* name : {"RENDERSIZE", "resolution"})
      ::glUniform2f(program_.uniform(name), static_cast<GLfloat>(size.width),
                    static_cast<GLfloat>(size.height));
    bind_samplers();
    program_.draw();
    if (target == targets_.end()) return;
    std::swap(target->second.drawn, target->second.read);
    const bool is_last = number + 1 == source_.header.passes.size();
    if (is_last) target->second.read.copy_to(output_);
  }

  void bind_samplers() {
    std::vector<Sampler> samplers;
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      samplers.push_back({pictures_[i], &inputs_[i]});
    for (const auto& sound : sounds_)
      samplers.push_back({sound.name, &sound.picture});
    for (std::size_t i = 0; i < imports_.size(); ++i)
      samplers.push_back({source_.header.imports[i].name, &imports_[i]});
    for (const auto& [name, target] : targets_)
      samplers.push_back({name, &target.read});
    for (std::size_t unit = 0; unit < samplers.size(); ++unit) {
      ::glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
      ::glBindTexture(GL_TEXTURE_2D, samplers[unit].texture->name());
      ::glUniform1i(program_.uniform(samplers[unit].name), static_cast<GLint>(unit));
    }
    ::glActiveTexture(GL_TEXTURE0);
  }

  void set_moment(const Moment& moment) {
    for (const auto* name : {"TIME", "time"})
      ::glUniform1f(program_.uniform(name), seconds(moment.time));
    ::glUniform1f(program_.uniform("TIMEDELTA"), seconds(moment.delta));
    ::glUniform1i(program_.uniform("FRAMEINDEX"), static_cast<GLint>(moment.frame));
    ::glUniform2f(program_.uniform("mouse"), 0.5F, 0.5F);
    if (const auto date = program_.uniform("DATE"); date >= 0) {
      const auto now = date_now();
      ::glUniform4fv(date, 1, now.data());
    }
  }

  void set_values() {
    for (const auto& input : source_.header.inputs) {
      const auto value = values_.find(input.name);
      if (value != values_.end())
        set_uniform(program_.uniform(input.name), input.type, value->second);
    }
  }

  static void set_uniform(GLint uniform, InputType type, const std::array<float, 4>& parts) {
    switch (type) {
      case InputType::event:
      case InputType::boolean:
      case InputType::choice:
        return ::glUniform1i(uniform, whole_number(parts[0]));
      case InputType::number:
        return ::glUniform1f(uniform, parts[0]);
      case InputType::point:
        return ::glUniform2f(uniform, parts[0], parts[1]);
      case InputType::color:
        return ::glUniform4fv(uniform, 1, parts.data());
      case InputType::image:
      case InputType::waves:
      case InputType::spectrum:
        break;
    }
  }

  void forget_events() {
    for (const auto& input : source_.header.inputs) {
      if (input.type == InputType::event) values_[input.name] = {};
    }
  }

  static void make_opaque(std::span<std::uint8_t> rgba) {
    for (std::size_t i = 3; i < rgba.size(); i += media::kBytesPerRgbaPixel)
      rgba[i] = 255;
  }

  const ShaderSource source_;
  const Size size_;
  const Program program_;
  std::vector<std::uint8_t> rows_;    // a picture, the lowest row first
  std::vector<std::uint8_t> turned_;  // an imported one
  const Texture output_;
  const std::vector<std::string> pictures_;  // the names of `inputs_`
  std::vector<Texture> inputs_;
  std::vector<SoundInput> sounds_;
  std::vector<Texture> imports_;
  std::map<std::string, Target, std::less<>> targets_;
  std::map<std::string, std::array<float, 4>, std::less<>> values_;
};

Result<std::unique_ptr<ShaderRenderer>> ShaderRenderer::make(const ShaderSource& source,
                                                             Size size) {
  auto program = compile(source);
  SUBMIX_TRY(program);
  auto parts = std::make_unique<Parts>(source, size, std::move(*program));
  SUBMIX_TRY(parts->prepare());
  return std::unique_ptr<ShaderRenderer>(new ShaderRenderer(std::move(parts)));
}

ShaderRenderer::ShaderRenderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ShaderRenderer::~ShaderRenderer() = default;

void ShaderRenderer::set(std::string_view name, const show::ParameterValue& value) {
  parts_->set(name, value);
}
void ShaderRenderer::draw(const Moment& moment,
                          std::span<const std::span<const std::uint8_t>> inputs,
                          std::span<std::uint8_t> output) {
  parts_->draw(moment, inputs, output);
}

}  // namespace submix::shader
