// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/wet.hpp"

#include "common/base/allocation_count.hpp"
#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;
using Bytes = std::vector<std::uint8_t>;

Bytes blended(double wet, const Bytes& input, Bytes picture) {
  WetShare share;
  share.set(wet);
  share.blend(input, picture);
  return picture;
}

TEST(WetShare, MixesOpaquePicturesInProportion) {
  const Bytes input{0, 100, 255, 255};
  const Bytes picture{200, 100, 0, 255};
  EXPECT_THAT(blended(0.25, input, picture), ElementsAre(50, 100, 191, 255));
  EXPECT_EQ(blended(0, input, picture), input);
  EXPECT_EQ(blended(1, input, picture), picture);
}

TEST(WetShare, LeavesWhatIsTheSameInBothAsItIs) {
  for (int value = 0; value < 256; ++value) {
    for (int step = 0; step <= 256; ++step) {
      const auto byte = static_cast<std::uint8_t>(value);
      const Bytes both{byte, byte, byte, byte};
      ASSERT_EQ(blended(step / 256.0, both, both), both) << step;
    }
  }
}

TEST(WetShare, MixesAlphaAndTakesNoColourOfTransparentPixels) {
  EXPECT_THAT(blended(0.5, {200, 100, 50, 255}, {0, 0, 0, 0}), ElementsAre(200, 100, 50, 128));
  EXPECT_THAT(blended(0.5, {200, 0, 0, 100}, {0, 200, 0, 100}), ElementsAre(100, 100, 0, 100));
  EXPECT_THAT(blended(0.25, {9, 9, 9, 0}, {7, 8, 9, 0}), ElementsAre(7, 8, 9, 0));
}

/// Draws one colour, and may keep its picture.
class Painter final : public Plugin {
 public:
  explicit Painter(bool keeps) : keeps_(keeps) {}

  std::optional<media::Frame> process(Work& work) override {
    ++runs;
    auto output = work.draw_over_input();
    std::ranges::fill(output->rgba(), std::uint8_t{255});
    auto picture = std::move(*output).publish();
    if (keeps_) kept_ = picture;
    return picture;
  }
  void set(std::string_view /*parameter*/, const show::ParameterValue& /*value*/) override {}
  [[nodiscard]] PluginTraits traits() const override {
    return {.frames_retained = keeps_ ? 1U : 0U};
  }
  [[nodiscard]] const media::Frame& kept() const { return kept_; }

  inline static int runs = 0;

 private:
  const bool keeps_;
  media::Frame kept_;
};

class WetTest : public ::testing::Test {
 protected:
  std::unique_ptr<Plugin> painter(Memory memory, std::vector<ParameterDescription> own = {}) {
    bench_.catalog().add({.id = "painter", .parameters = std::move(own), .memory = memory},
                         [](const plugin::Setup&) -> Result<std::unique_ptr<Plugin>> {
                           return std::make_unique<Painter>(false);
                         });
    Painter::runs = 0;
    return bench_.make("painter").value();
  }

  Bench bench_;
};

TEST_F(WetTest, IsTheFirstParameterOfEveryFilterAndOfNothingElse) {
  for (const auto& plugin : bench_.catalog().list()) {
    const bool is_first = !plugin.parameters.empty() && plugin.parameters.front().name == kWet;
    EXPECT_EQ(is_first, plugin.kind == Kind::filter) << plugin.id;
  }
}

TEST_F(WetTest, GivesTheFiltersOwnPictureAtOne) {
  const auto filter = painter(Memory::frames);
  auto input = bench_.filled(10, 20, 30);
  const auto* pixels = input.rgba().data();
  const auto picture = bench_.run_on(*filter, std::move(input));
  EXPECT_EQ(picture.rgba().data(), pixels) << "drawn over the input, without a copy";
  EXPECT_THAT(bytes_of(picture), Each(255));
}

TEST_F(WetTest, GivesTheInputItselfAtNone) {
  const auto filter = painter(Memory::frames);
  filter->set("wet", 0.0);
  auto input = bench_.filled(10, 20, 30);
  const auto bytes = bytes_of(input);
  const auto* pixels = input.rgba().data();
  const auto picture = bench_.run_on(*filter, std::move(input));
  EXPECT_EQ(picture.rgba().data(), pixels);
  EXPECT_EQ(bytes_of(picture), bytes);
  EXPECT_EQ(Painter::runs, 1) << "a filter with memory goes on";
}

TEST_F(WetTest, DoesNotRunAFilterWithoutMemoryAtNone) {
  const auto filter = painter(Memory::none);
  filter->set("wet", 0.0);
  static_cast<void>(bench_.run(*filter, 0, {bench_.filled(10, 20, 30)}));
  EXPECT_EQ(Painter::runs, 0);
}

TEST_F(WetTest, MixesInputAndPictureBetween) {
  const auto filter = painter(Memory::frames);
  filter->set("wet", 0.5);
  const auto picture = bench_.run_on(*filter, bench_.filled(55, 55, 55));
  EXPECT_THAT(bytes_of(picture), Each(AnyOf(155, 255)));
}

TEST_F(WetTest, NeverDrawsIntoAPictureThatTheFilterKeeps) {
  auto own = std::make_unique<Painter>(true);
  const auto* keeper = own.get();
  plugin::Setup setup;
  setup.parameters = {{"wet", 0.5}};
  const auto filter = with_wet(std::move(own), setup, Memory::frames);
  EXPECT_EQ(filter->traits().frames_retained, 2U) << "its own, and room for the mixed one";
  const auto picture = bench_.run(*filter, 0, {bench_.filled(55, 55, 55)});
  EXPECT_THAT(bytes_of(picture), Each(AnyOf(155, 255)));
  EXPECT_THAT(bytes_of(keeper->kept()), Each(255));
}

TEST_F(WetTest, IsTheFiltersOwnWhereItHasOne) {
  const auto filter = painter(Memory::none, {{.name = "wet", .initial = 0.0}});
  EXPECT_EQ(bench_.catalog().describe("painter").value()->parameters.size(), 1U);
  const auto picture = bench_.run_on(*filter, bench_.filled(55, 55, 55));
  EXPECT_THAT(bytes_of(picture), Each(255));
}

TEST_F(WetTest, AllocatesNothingForAFrame) {
  const auto filter = bench_.make("transform", {{"x", 0.1}, {"wet", 0.3}}).value();
  const auto input = bench_.noise(1);
  std::vector<media::Frame> inputs{input};
  Work work;
  work.inputs = inputs;
  work.pool = &bench_.pool();
  const auto before = thread_allocation_count();
  for (int i = 0; i < 20; ++i)
    static_cast<void>(filter->process(work));
  EXPECT_EQ(thread_allocation_count(), before);
}

TEST_F(WetTest, StampsNothingAtNoneThoughItMayTakeItsInput) {
  const auto stamp = bench_.make("stamp", {{"wet", 0.0}}).value();
  auto input = bench_.filled(10, 20, 30);
  const auto bytes = bytes_of(input);
  EXPECT_EQ(bytes_of(bench_.run_on(*stamp, std::move(input))), bytes);
}

TEST_F(WetTest, WorksForAFrei0rPluginOfThisProcess) {
  const auto invert = bench_.make("frei0r/invert0r", {{"wet", 0.0}}).value();
  const auto input = bench_.filled(10, 100, 250);
  EXPECT_EQ(bytes_of(bench_.run(*invert, 0, {input})), bytes_of(input));
  invert->set("wet", 1.0);
  EXPECT_THAT(bytes_of(bench_.run(*invert, 1, {input})), Not(bytes_of(input)));
  invert->set("wet", 0.5);
  const auto half = bytes_of(bench_.run(*invert, 2, {input}));
  EXPECT_NEAR(half[0], 128, 1);
  EXPECT_NEAR(half[2], 128, 1);
}

}  // namespace
}  // namespace submix::plugin
