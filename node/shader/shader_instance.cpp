// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_instance.hpp"

#include "common/base/file_state.hpp"
#include "node/plugin/wet.hpp"
#include "node/shader/shader_description.hpp"
#include "node/shader/shader_renderer.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace submix::shader {
namespace {

constexpr std::chrono::milliseconds kLookPause{250};

/// The shader's two files, by which a change is seen.
struct FilesSeen {
  std::optional<FileState> fragment;
  std::optional<FileState> vertex;

  friend bool operator==(const FilesSeen&, const FilesSeen&) = default;
};

FilesSeen look_at(const std::filesystem::path& file) {
  auto vertex = file;
  return {state_of(file), state_of(vertex.replace_extension(".vs"))};
}

/// What is compiled from a file.
struct Compiled {
  std::unique_ptr<ShaderRenderer> renderer;
  std::size_t pictures = 0;
  bool has_wet = false;
  plugin::Memory memory = plugin::Memory::none;
};

Result<Compiled> compile(const std::filesystem::path& file, Size size) {
  const auto source = load_source(file);
  SUBMIX_TRY(source);
  const auto description = describe_file(*source, file);
  SUBMIX_TRY(description);
  auto renderer = ShaderRenderer::make(*source, size);
  if (!renderer) return fail("{}: {}", file.string(), renderer.error().message);
  return Compiled{std::move(*renderer), picture_inputs(source->header).size(),
                  plugin::wants_wet(*description), description->memory};
}

/// Draws a shader, and follows its file: a change is compiled between two pictures, and the last
/// good shader goes on if it does not compile.
class ShaderInstance final : public plugin::Instance {
 public:
  ShaderInstance(std::filesystem::path file, const FilesSeen& seen, Size size, Compiled compiled)
      : file_(std::move(file)),
        size_(size),
        compiled_(std::move(compiled)),
        seen_(seen),
        tried_(seen) {}

  [[nodiscard]] std::size_t input_count() const override { return compiled_.pictures; }

  void draw(std::chrono::nanoseconds pts, const plugin::InstanceInputs& inputs,
            std::span<std::uint8_t> output) override {
    follow_file();
    moment_.delta = moment_.frame == 0 ? std::chrono::nanoseconds(0) : pts - moment_.time;
    moment_.time = pts;
    compiled_.renderer->draw(moment_, std::span(inputs).first(compiled_.pictures), output);
    ++moment_.frame;
    if (compiled_.has_wet) wet_.blend(inputs[0], output);
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (const auto known = values_.find(parameter); known != values_.end()) {
      known->second = value;  // each frame, for a number that moves
    } else {
      values_.emplace(parameter, value);
    }
    if (compiled_.has_wet && parameter == plugin::kWet) return wet_.set(value);
    compiled_.renderer->set(parameter, value);
  }

  [[nodiscard]] plugin::InstanceReport report() const override { return {.trouble = trouble_}; }

 private:
  // An editor may write a file in pieces: it is read when it looks the same in two looks.
  void follow_file() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + kLookPause;
    const auto seen = look_at(file_);
    const bool is_settled = seen == std::exchange(seen_, seen);
    if (!is_settled || seen == tried_ || !seen.fragment) return;
    tried_ = seen;
    const auto taken = compile_anew();
    trouble_ = taken ? "" : taken.error().message + "; the shader before the change goes on";
  }

  Result<void> compile_anew() {
    auto compiled = compile(file_, size_);
    SUBMIX_TRY(compiled);
    if (compiled->pictures != compiled_.pictures)
      return fail("{}: it reads {} pictures now, and {} before: insert it anew", file_.string(),
                  compiled->pictures, compiled_.pictures);
    if (compiled->memory != compiled_.memory)
      return fail("{}: whether it keeps frames has changed: insert it anew", file_.string());
    compiled_ = std::move(*compiled);
    for (const auto& [name, value] : values_)
      compiled_.renderer->set(name, value);
    return {};
  }

  const std::filesystem::path file_;
  const Size size_;
  Compiled compiled_;
  plugin::WetShare wet_;
  show::Parameters values_;  // as set so far
  Moment moment_;
  FilesSeen seen_;   // at the last look
  FilesSeen tried_;  // when it was compiled last
  std::chrono::steady_clock::time_point next_look_{};
  std::string trouble_;
};

}  // namespace

Result<std::unique_ptr<plugin::Instance>> make_shader_instance(const std::filesystem::path& file,
                                                               const plugin::Setup& setup) {
  const auto seen = look_at(file);
  auto compiled = compile(file, setup.size);
  SUBMIX_TRY(compiled);
  auto instance = std::make_unique<ShaderInstance>(file, seen, setup.size, std::move(*compiled));
  for (const auto& [name, value] : setup.parameters)
    instance->set(name, value);
  return instance;
}

}  // namespace submix::shader
