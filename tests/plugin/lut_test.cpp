// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "node/plugin/lut_shelf.hpp"
#include "tests/plugin/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Le;
using Color3 = std::array<double, 3>;

/// A media folder in memory.
class FakeFolder {
 public:
  void put(const std::string& file, std::string text) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    texts_[file] = std::move(text);
    ++changes_[file];
  }

  MediaFiles files() {
    return {.read = [this](const std::string& file, std::size_t) { return read(file); },
            .state = [this](const std::string& file) { return state(file); }};
  }

 private:
  Result<std::string> read(const std::string& file) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto found = texts_.find(file);
    if (found == texts_.end()) return fail("/media/{}: there is no such file", file);
    return found->second;
  }

  std::optional<FileState> state(const std::string& file) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (!texts_.contains(file)) return std::nullopt;
    return FileState{.inode = 1, .bytes = texts_[file].size(), .changed_ns = changes_[file]};
  }

  Mutex mutex_;
  std::map<std::string, std::string> texts_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, std::int64_t> changes_ SUBMIX_GUARDED_BY(mutex_);
};

std::string row_of(const Color3& color) {
  return fmt::format("{:.6f} {:.6f} {:.6f}\n", color[0], color[1], color[2]);
}

/// A 3D table of a function of the colour, each part 0 to 1.
std::string cube_of(int size, const std::function<Color3(Color3)>& color) {
  auto text = fmt::format("LUT_3D_SIZE {}\n", size);
  const auto part = [size](int at) { return at / double(size - 1); };
  for (int blue = 0; blue < size; ++blue) {
    for (int green = 0; green < size; ++green) {
      for (int red = 0; red < size; ++red)
        text += row_of(color({part(red), part(green), part(blue)}));
    }
  }
  return text;
}

Color3 same(Color3 color) {
  return color;
}
Color3 inverted(Color3 color) {
  return {1 - color[0], 1 - color[1], 1 - color[2]};
}
Color3 swapped(Color3 color) {
  return {color[2], color[0], color[1]};
}

class LutTest : public ::testing::Test {
 protected:
  // Each text is a file of its own: the shelf may still know a file that was just in use, and looks
  // whether it has changed only two seconds later. The first is a.cube.
  std::unique_ptr<Plugin> colour(const std::string& text, show::Parameters parameters = {}) {
    const auto file = fmt::format("{:c}.cube", 'a' + files_++);
    folder_.put(file, text);
    parameters["lut"] = file;
    return bench_.make("colour", std::move(parameters)).value();
  }
  std::vector<int> seen(const std::string& text, show::Parameters parameters = {}) {
    const auto plugin = colour(text, std::move(parameters));
    return pixel(*plugin, 0);
  }
  std::vector<int> pixel(Plugin& plugin, std::uint64_t index) {
    const auto frame = bench_.run(plugin, index, {orange_});
    return {frame.rgba().begin(), frame.rgba().begin() + 4};
  }

  FakeFolder folder_;  // the first: the bench's thread reads it
  int files_ = 0;
  Bench bench_{Size{64, 32}, media::Backing::own, folder_.files()};
  const media::Frame noise_ = bench_.noise(1);
  const media::Frame orange_ = bench_.filled(200, 100, 40, 77);
};

TEST_F(LutTest, OfTheSameColoursLeavesThePicture) {
  for (const int size : {2, 3, 17, 32, 33, 64, 65}) {
    const auto plugin = colour(cube_of(size, same));
    const auto frame = bench_.run(*plugin, 0, {noise_});
    std::vector<int> off;
    for (std::size_t i = 0; i < frame.rgba().size(); ++i)
      off.push_back(std::abs(frame.rgba()[i] - noise_.rgba()[i]));
    EXPECT_THAT(off, Each(Le(1))) << size;
    EXPECT_EQ(plugin->trouble(), "");
  }
}

TEST_F(LutTest, ChangesColoursAndNotTheAlpha) {
  EXPECT_THAT(seen(cube_of(17, inverted)), ElementsAre(55, 155, 215, 77));
  EXPECT_THAT(seen(cube_of(2, swapped)), ElementsAre(40, 200, 100, 77));
}

TEST_F(LutTest, ComesAfterTheOtherCorrections) {
  EXPECT_THAT(seen(cube_of(2, inverted), {{"gain", 0.5}}), ElementsAre(155, 205, 235, 77));
}

TEST_F(LutTest, InterpolatesBetweenPoints) {
  const auto bent = [](Color3 color) { return Color3{color[0] * color[1], 0, color[2]}; };
  // Red 200 and green 100 of 255, between the corners of one cell: red, then both.
  EXPECT_THAT(seen(cube_of(2, bent)), ElementsAre(100, 0, 40, 77));
}

TEST_F(LutTest, OfOneDimensionBendsEachChannel) {
  EXPECT_THAT(seen("LUT_1D_SIZE 2\n1 0 0\n0 1 0.5\n"), ElementsAre(55, 100, 20, 77));
  EXPECT_THAT(seen("LUT_1D_SIZE 3\n0 0 1\n0 1 1\n1 0 1\n"), ElementsAre(145, 200, 255, 77));
}

TEST_F(LutTest, LiesWithinItsDomain) {
  const std::string domain = "DOMAIN_MIN 0 0.5 0\nDOMAIN_MAX 1 1 0.1\n";
  EXPECT_THAT(seen(domain + cube_of(2, same)), ElementsAre(200, 0, 255, 77));
  EXPECT_THAT(seen(domain + "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"), ElementsAre(200, 0, 255, 77));
  EXPECT_THAT(seen("DOMAIN_MAX 2 2 2\n" + cube_of(2, same)), ElementsAre(100, 50, 20, 77));
}

TEST_F(LutTest, CutsValuesToWhatAPictureHas) {
  EXPECT_THAT(seen("LUT_1D_SIZE 2\n-5 3 0\n-1 9 1\n"), ElementsAre(0, 255, 40, 77));
}

TEST_F(LutTest, MixesWithThePictureWithoutIt) {
  EXPECT_THAT(seen(cube_of(2, swapped), {{"lut_mix", 0.5}}), ElementsAre(120, 150, 70, 77));
  EXPECT_THAT(seen("LUT_1D_SIZE 2\n1 0 0\n0 1 0.5\n", {{"lut_mix", 0.5}}),
              ElementsAre(128, 100, 30, 77));
  const auto none = colour(cube_of(2, swapped), {{"lut_mix", 0.0}});
  EXPECT_EQ(bench_.run(*none, 0, {noise_}).rgba().data(), noise_.rgba().data());
}

TEST_F(LutTest, ThatIsMalformedIsATroubleAndThePictureGoesOn) {
  const auto plugin = colour("LUT_3D_SIZE 2\n0 0 zero\n", {{"gain", 0.5}});
  EXPECT_THAT(pixel(*plugin, 0), ElementsAre(100, 50, 20, 77));
  EXPECT_THAT(plugin->trouble(), HasSubstr("LUT a.cube: line 2: \"0 0 zero\" is not three"));
  EXPECT_THAT(plugin->trouble(), HasSubstr("the picture goes on without this LUT"));
}

TEST_F(LutTest, ThatIsMissingIsATroubleUntilItIsUnnamed) {
  const auto plugin = bench_.make("colour", {{"lut", std::string("no.cube")}}).value();
  EXPECT_EQ(bench_.run(*plugin, 0, {noise_}).rgba().data(), noise_.rgba().data());
  EXPECT_THAT(plugin->trouble(), HasSubstr("/media/no.cube: there is no such file; the picture"));
  plugin->set("lut", std::string());
  EXPECT_EQ(plugin->trouble(), "");
}

TEST_F(LutTest, IsReplacedByOneThatIsNamedLater) {
  const auto plugin = colour(cube_of(2, inverted));
  EXPECT_THAT(pixel(*plugin, 0), ElementsAre(55, 155, 215, 77));
  folder_.put("b.cube", cube_of(2, swapped));
  plugin->set("lut", std::string("b.cube"));
  EXPECT_THAT(pixel(*plugin, 1), ElementsAre(40, 200, 100, 77));
  plugin->set("lut", std::string());
  EXPECT_THAT(pixel(*plugin, 2), ElementsAre(200, 100, 40, 77));
}

TEST_F(LutTest, IsAppliedWithoutAllocation) {
  const auto plugin = colour(cube_of(17, inverted), {{"lut_mix", 0.5}});
  Work work;
  work.pool = &bench_.pool();
  const auto run_once = [&] {
    work.inputs = {&noise_, 1};
    static_cast<void>(plugin->process(work));
  };
  run_once();
  const auto before = thread_allocation_count();
  for (int i = 0; i < 100; ++i)
    run_once();
  EXPECT_EQ(thread_allocation_count(), before);
}

TEST(LutShelf, ReadsAFileThatComesOrChangesOnceItIsWhole) {
  FakeFolder folder;
  LutShelf shelf(folder.files(), std::chrono::milliseconds(1));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto lut = shelf.ask("a.cube");
  EXPECT_EQ(shelf.ask("a.cube"), lut);
  ASSERT_TRUE(shelf.wait(*lut, deadline, {}));
  EXPECT_EQ(lut->state()->table, nullptr);
  folder.put("a.cube", cube_of(2, same));
  while (lut->state()->table == nullptr && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  const auto first = lut->state();
  ASSERT_NE(first->table, nullptr);
  EXPECT_EQ(first->trouble, "");
  folder.put("a.cube", cube_of(2, inverted));
  while (lut->state() == first && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_NE(lut->state()->table, first->table);
}

TEST(LutShelf, SaysSoIfTheProgramReadsNoFiles) {
  LutShelf shelf(MediaFiles{});
  const auto lut = shelf.ask("a.cube");
  ASSERT_TRUE(shelf.wait(*lut, std::chrono::steady_clock::now() + std::chrono::seconds(20), {}));
  EXPECT_THAT(lut->state()->trouble, HasSubstr("LUT a.cube: this program reads no files"));
}

}  // namespace
}  // namespace submix::plugin
