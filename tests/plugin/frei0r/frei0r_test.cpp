// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_repairs.hpp"
#include "tests/plugin/bench.hpp"
#include "tests/support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <iostream>
#include <map>
#include <set>
#include <thread>

namespace submix::plugin {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;

using testing::kIsSanitized;

// OpenCV's libraries, which these plugins load, start threads and leak in their own initialisers.
bool is_spared(std::string_view id) {
  return kIsSanitized && (id == "frei0r/facebl0r" || id == "frei0r/facedetect");
}

std::uint32_t sum_of(const media::Frame& frame) {
  std::uint32_t sum = 0;
  for (const auto byte : frame.rgba())
    sum = sum * 31 + byte;
  return sum;
}

std::vector<int> first_pixel(const media::Frame& frame) {
  const auto pixel = frame.rgba().first(4);
  return {pixel.begin(), pixel.end()};
}

TEST(Frei0r, EveryPluginLoadsAndDescribesItself) {
  const Catalog catalog;
  std::map<Kind, int> kinds;
  for (const auto& id : catalog.ids()) {
    if (is_spared(id)) continue;
    const auto description = catalog.describe(id);
    ASSERT_TRUE(description.has_value()) << description.error().message;
    ++kinds[(*description)->kind];
    std::set<std::string> names;
    for (const auto& parameter : (*description)->parameters) {
      EXPECT_TRUE(names.insert(parameter.name).second)
          << id << " has two parameters " << parameter.name;
      EXPECT_FALSE(parameter.name.empty()) << id;
    }
  }
  EXPECT_GE(kinds[Kind::filter], 80);
  EXPECT_GE(kinds[Kind::source], 10);
  EXPECT_GE(kinds[Kind::mixer2], 30);
  EXPECT_GE(kinds[Kind::mixer3], 1);
}

/// Plugins whose pictures depend on nothing but their inputs and the time. Not curves: frei0r 1.8's
/// reads memory beyond its own (valgrind shows it), so its picture depends on that memory.
struct Deterministic {
  Kind kind;
  std::vector<const char*> ids;
};
void PrintTo(const Deterministic& plugins, std::ostream* out) {
  *out << to_string(plugins.kind);
}

std::string name_of_kind(const ::testing::TestParamInfo<Deterministic>& test) {
  return std::string(to_string(test.param.kind));
}

class Frei0rKind : public ::testing::TestWithParam<Deterministic> {};

TEST_P(Frei0rKind, MakesTheSamePictureFromTheSameInput) {
  Bench bench;
  for (const auto* id : GetParam().ids) {
    const auto first = bench.make(id);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    EXPECT_EQ((*bench.catalog().describe(id))->kind, GetParam().kind) << id;
    const auto second = bench.make(id);
    std::vector<media::Frame> inputs;
    for (std::uint32_t i = 0; i < input_count(GetParam().kind).least; ++i)
      inputs.push_back(bench.noise(i));
    const auto picture = sum_of(bench.run(**first, 3, inputs));
    EXPECT_EQ(sum_of(bench.run(**second, 3, inputs)), picture) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Frei0rKind,
    ::testing::Values(
        Deterministic{
            Kind::source,
            {"frei0r/test_pat_B", "frei0r/test_pat_C", "frei0r/test_pat_G", "frei0r/test_pat_I",
             "frei0r/test_pat_L", "frei0r/test_pat_R", "frei0r/lissajous0r", "frei0r/onecol0r"}},
        Deterministic{Kind::filter,
                      {"frei0r/invert0r", "frei0r/gamma", "frei0r/brightness", "frei0r/contrast0r",
                       "frei0r/pixeliz0r", "frei0r/vignette", "frei0r/sharpness",
                       "frei0r/lenscorrection", "frei0r/glow", "frei0r/B", "frei0r/tint0r",
                       "frei0r/saturat0r", "frei0r/sobel", "frei0r/threshold0r"}},
        Deterministic{Kind::mixer2,
                      {"frei0r/addition", "frei0r/multiply", "frei0r/screen", "frei0r/blend",
                       "frei0r/xfade0r", "frei0r/composition", "frei0r/difference", "frei0r/darken",
                       "frei0r/lighten", "frei0r/overlay", "frei0r/subtract", "frei0r/alphaover"}},
        Deterministic{Kind::mixer3, {"frei0r/RGB"}}),
    name_of_kind);

TEST(Frei0r, KeepsTheOrderOfTheChannelsInEveryColourModel) {
  Bench bench;
  const auto red = bench.filled(200, 0, 0);
  const auto rgba = bench.make("frei0r/invert0r").value();
  EXPECT_THAT(first_pixel(bench.run(*rgba, 0, {red})), ElementsAre(55, 255, 255, 255));

  // Shows the first input, over 256.
  const auto bgra = bench.make("frei0r/xfade0r", {{"fader", 0.0}}).value();
  EXPECT_THAT(first_pixel(bench.run(*bgra, 0, {red, bench.filled(0, 0, 90)})),
              ElementsAre(Ge(198), 0, 0, _));
}

TEST(Frei0r, SetsParametersOfEveryType) {
  Bench bench;
  const auto one_color =
      bench.make("frei0r/onecol0r", {{"Color", std::vector<double>{0.0, 1.0, 0.0}}}).value();
  EXPECT_THAT(first_pixel(bench.run(*one_color, 0)), ElementsAre(0, 255, 0, 255));
  one_color->set("Color", std::vector<double>{1.0, 0.0, 1.0});
  EXPECT_THAT(first_pixel(bench.run(*one_color, 1)), ElementsAre(255, 0, 255, 255));

  const auto gradient = bench.make("frei0r/cairogradient").value();
  const auto black = bench.filled(0, 0, 0);
  const auto linear = bytes_of(bench.run(*gradient, 0, {black}));
  gradient->set("pattern", std::string("gradient_radial"));
  EXPECT_NE(bytes_of(bench.run(*gradient, 1, {black})), linear);
}

TEST(Frei0r, LeavesNothingOfAnotherPictureWhereAPluginDrawsNothing) {
  Bench bench;
  const auto cartoon = bench.make("frei0r/cartoon").value();
  const auto input = bench.noise(1);
  const auto first = bytes_of(bench.run(*cartoon, 0, {input}));
  (void)bench.noise(99);  // the next seat is full of something else
  EXPECT_EQ(bytes_of(bench.run(*cartoon, 1, {input})), first);
}

/// While it lives, a write into the frame's pages ends the process.
class WriteProtection {
 public:
  explicit WriteProtection(const media::Frame& frame) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(frame.rgba().data());
    begin_ = (first + page - 1) / page * page;
    bytes_ = (first + frame.rgba().size()) / page * page - begin_;
    protect(PROT_READ);
  }
  WriteProtection(const WriteProtection&) = delete;
  ~WriteProtection() { protect(PROT_READ | PROT_WRITE); }

 private:
  void protect(int rights) const {
    EXPECT_EQ(::mprotect(reinterpret_cast<void*>(begin_), bytes_, rights), 0);
  }
  std::uintptr_t begin_;
  std::size_t bytes_;
};

TEST(Frei0r, WritesIntoNoInput) {
  Bench bench;
  int plugins = 0;
  for (const auto& id : bench.catalog().ids()) {
    if (!id.starts_with("frei0r/") || is_spared(id)) continue;
    const auto inputs_wanted = input_count((*bench.catalog().describe(id))->kind).least;
    const auto plugin = bench.make(id);
    if (inputs_wanted == 0 || !plugin) continue;
    std::cout << id << std::endl;  // the last line names the plugin that ended the process
    std::vector<media::Frame> inputs;
    std::deque<WriteProtection> protections;
    for (std::uint32_t i = 0; i < inputs_wanted; ++i)
      protections.emplace_back(inputs.emplace_back(bench.noise(i)));
    EXPECT_TRUE(bench.run(**plugin, 1, inputs));
    ++plugins;
  }
  EXPECT_GE(plugins, 100);
}

TEST(Frei0r, HidesTheParameterThatHangs) {
  Bench bench;
  const auto description = bench.catalog().describe("frei0r/curves").value();
  EXPECT_EQ(description->find_parameter("Show curves"), nullptr);
  EXPECT_NE(description->find_parameter("Channel"), nullptr);
}

TEST(Frei0r, RefusesWhatBreaksMemoryAndSaysWhy) {
  Bench bench;
  for (const auto* id : {"frei0r/uvmap", "frei0r/partik0l"}) {
    const auto made = bench.make(id);
    ASSERT_FALSE(made.has_value());
    EXPECT_THAT(made.error().message, HasSubstr("is refused: it "));
  }
}

// 260x130: frei0r itself takes multiples of 8 only.
constexpr Size kOddSize{260, 130};

bool is_uniform(const media::Frame& frame) {
  const auto rgba = frame.rgba();
  for (std::size_t i = 4; i < rgba.size(); ++i) {
    if (rgba[i] != rgba[i - 4]) return false;
  }
  return true;
}

TEST(Frei0r, DrawsPicturesOfAnySizeInEveryColourModel) {
  Bench bench(kOddSize);
  const auto input = bench.noise(7);
  const auto inverted = bench.run(*bench.make("frei0r/invert0r").value(), 0, {input});
  const auto shown =
      bench.run(*bench.make("frei0r/xfade0r", {{"fader", 0.0}}).value(), 0, {input, inverted});
  for (std::size_t i = 0; i < input.rgba().size(); ++i) {
    const int before = input.rgba()[i];
    if (i % 4 == 3) continue;
    ASSERT_EQ(inverted.rgba()[i], 255 - before) << "byte " << i;
    ASSERT_NEAR(shown.rgba()[i], before, 2) << "byte " << i;
  }
  EXPECT_TRUE(is_uniform(bench.run(
      *bench.make("frei0r/onecol0r", {{"Color", std::vector{0.0, 1.0, 0.0}}}).value(), 0)));
}

TEST(Frei0r, DrawsNoDarkEdgeWhereItsPicturesAreLargerThanTheShows) {
  Bench bench(kOddSize);
  const auto blur = bench.make("frei0r/squareblur", {{"Kernel size", 0.05}}).value();
  EXPECT_TRUE(is_uniform(bench.run(*blur, 0, {bench.filled(90, 120, 200)})));
}

TEST(Frei0r, EveryPluginTakesASizeThatIsNoMultipleOfEight) {
  Bench bench(kOddSize);
  int plugins = 0;
  for (const auto& id : bench.catalog().ids()) {
    if (!id.starts_with("frei0r/") || is_spared(id)) continue;
    const auto plugin = bench.make(id);
    if (!plugin) continue;
    std::cout << id << std::endl;  // the last line names the plugin that ended the process
    std::vector<media::Frame> inputs;
    for (std::uint32_t i = 0; i < input_count((*bench.catalog().describe(id))->kind).least; ++i)
      inputs.push_back(bench.noise(i));
    EXPECT_TRUE(bench.run(**plugin, 1, inputs));
    ++plugins;
  }
  EXPECT_GE(plugins, 100);
}

TEST(Frei0r, MakesTheRightPictureInTwoThreadsEvenWhereInstancesShareState) {
  Bench bench;
  const auto input = bench.noise(5);
  const std::vector<show::Parameters> settings{{{"X axis rotation", 0.1}},
                                               {{"Y axis rotation", 0.9}}};
  std::vector<std::uint32_t> expected;
  for (const auto& setting : settings) {
    expected.push_back(
        sum_of(bench.run(*bench.make("frei0r/3dflippo", setting).value(), 0, {input})));
  }
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      threads.emplace_back(
          [&, i, plugin = std::shared_ptr(bench.make("frei0r/3dflippo", settings[i]).value())] {
            for (int turn = 0; turn < 8; ++turn) {
              if (sum_of(bench.run(*plugin, 0, {input})) != expected[i]) ++wrong;
            }
          });
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace submix::plugin
