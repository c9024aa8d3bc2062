// SPDX-License-Identifier: GPL-3.0-or-later
// The sample of node/plugin/README.md, for authors of plugins.
#include "node/plugin/plugin.hpp"
#include "tests/plugin/bench.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace submix::plugin {
namespace {

class Invert final : public Plugin {
 public:
  std::optional<media::Frame> process(Work& work) override {
    auto output = work.draw_over_input();  // the input itself, or a copy of it
    if (!output) return std::nullopt;      // asked to stop
    const auto rgba = output->rgba();
    for (std::size_t i = 0; is_on_ && i < rgba.size(); ++i)
      if (i % 4 != 3) rgba[i] ^= 0xFF;
    return std::move(*output).publish();  // const from here on
  }
  void set(std::string_view, const show::ParameterValue& value) override {
    is_on_ = std::get<bool>(value);
  }

 private:
  bool is_on_ = true;
};

TEST(SamplePlugin, InvertsColorsUntilItIsSwitchedOff) {
  Bench bench;
  bench.catalog().add(
      {.id = "invert",
       .kind = Kind::filter,
       .parameters = {{.name = "on", .type = ParameterType::boolean, .initial = true}},
       .memory = Memory::none},
      [](const plugin::Setup&) { return std::make_unique<Invert>(); });
  const auto invert = bench.make("invert").value();
  const auto input = bench.filled(200, 200, 200);

  const auto inverted = bench.run(*invert, 0, {input});
  EXPECT_EQ(inverted.rgba()[0], 55);
  EXPECT_EQ(inverted.rgba()[3], input.rgba()[3]);

  invert->set("on", false);
  EXPECT_EQ(bench.run(*invert, 1, {input}).rgba()[0], 200);
}

}  // namespace
}  // namespace submix::plugin
