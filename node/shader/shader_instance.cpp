// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/shader_instance.hpp"

#include "node/plugin/wet.hpp"
#include "node/shader/shader_description.hpp"
#include "node/shader/shader_renderer.hpp"

#include <utility>

namespace submix::shader {
namespace {

class ShaderInstance final : public plugin::Instance {
 public:
  ShaderInstance(std::unique_ptr<ShaderRenderer> renderer, std::size_t pictures, bool has_wet)
      : renderer_(std::move(renderer)), pictures_(pictures), has_wet_(has_wet) {}

  [[nodiscard]] std::size_t input_count() const override { return pictures_; }

  void draw(std::chrono::nanoseconds pts, const plugin::InstanceInputs& inputs,
            std::span<std::uint8_t> output) override {
    moment_.delta = moment_.frame == 0 ? std::chrono::nanoseconds(0) : pts - moment_.time;
    moment_.time = pts;
    renderer_->draw(moment_, std::span(inputs).first(pictures_), output);
    ++moment_.frame;
    if (has_wet_) wet_.blend(inputs[0], output);
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (has_wet_ && parameter == plugin::kWet) return wet_.set(value);
    renderer_->set(parameter, value);
  }

 private:
  const std::unique_ptr<ShaderRenderer> renderer_;
  const std::size_t pictures_;
  const bool has_wet_;
  plugin::WetShare wet_;
  Moment moment_;
};

}  // namespace

Result<std::unique_ptr<plugin::Instance>> make_shader_instance(const std::filesystem::path& file,
                                                               const plugin::Setup& setup) {
  const auto source = load_source(file);
  SUBMIX_TRY(source);
  const auto description = describe_file(*source, file);
  SUBMIX_TRY(description);
  auto renderer = ShaderRenderer::make(*source, setup.size);
  if (!renderer) return fail("{}: {}", file.string(), renderer.error().message);
  auto instance = std::make_unique<ShaderInstance>(
      std::move(*renderer), picture_inputs(source->header).size(), plugin::wants_wet(*description));
  for (const auto& [name, value] : setup.parameters)
    instance->set(name, value);
  return instance;
}

}  // namespace submix::shader
