// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/catalog.hpp"

#include "common/base/files.hpp"
#include "tests/plugin/bench.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <latch>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace submix::plugin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(const auto& result) {
  return result ? std::string("no error") : result.error().message;
}

TEST(Catalog, NamesTheNearestPluginOfAnUnknownOne) {
  Bench bench;
  EXPECT_EQ(error_of(bench.make("patern")),
            "plugin \"patern\" is not on this node (did you mean \"pattern\"?); \"submix plugins\" "
            "lists what is");
}

TEST(Catalog, NamesTheFoldersAndThePackageOfAnUnknownFrei0rPlugin) {
  const Catalog catalog({"/opt/one", "/opt/two"});
  EXPECT_EQ(error_of(catalog.describe("frei0r/glow")),
            "plugin \"frei0r/glow\" is not on this node; searched /opt/one, /opt/two; install the "
            "package frei0r-plugins or set FREI0R_PATH");
}

TEST(Catalog, SaysWhyALibraryCannotBeLoaded) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "broken.so", "this is no library").has_value());
  const Catalog catalog({folder.path()});
  EXPECT_THAT(catalog.ids(), ElementsAre("frei0r/broken"));
  EXPECT_THAT(error_of(catalog.describe("frei0r/broken")),
              HasSubstr("broken.so: cannot be loaded: "));
  EXPECT_TRUE(catalog.list().empty());
}

TEST(Catalog, LooksForFrei0rWhereItsPathSays) {
  const char* const before = std::getenv("FREI0R_PATH");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("FREI0R_PATH", "/a:/b", 1);
  EXPECT_THAT(frei0r_folders(), ElementsAre("/a", "/b"));
  ::setenv("FREI0R_PATH", kept.c_str(), 1);
  if (kept.empty()) ::unsetenv("FREI0R_PATH");
}

TEST(Catalog, NamesTheNearestParameterOfAnUnknownOne) {
  Bench bench;
  EXPECT_EQ(error_of(bench.make("pattern", {{"sped", 1.0}})),
            "plugin \"pattern\" has no parameter \"sped\" (did you mean \"speed\"?); it has: "
            "style, color, speed");
}

TEST(Catalog, SaysWhatTypeAParameterExpects) {
  Bench bench;
  EXPECT_EQ(error_of(bench.make("pattern", {{"speed", true}})),
            "plugin \"pattern\": parameter \"speed\" = true: give a number");
  EXPECT_EQ(error_of(bench.make("pattern", {{"color", std::vector<double>{1, 0}}})),
            "plugin \"pattern\": parameter \"color\" = [1, 0]: give a colour, three numbers in a "
            "row: [red, green, blue], each 0 to 1");
}

TEST(Catalog, ListsTheChoicesOfATextThatIsNone) {
  Bench bench;
  EXPECT_EQ(error_of(bench.make("pattern", {{"style", std::string("bar")}})),
            "plugin \"pattern\": parameter \"style\" = \"bar\": is none of bars, gradient, "
            "checkerboard, box (did you mean \"bars\"?)");
}

TEST(Catalog, RefusesANumberThatIsNone) {
  Bench bench;
  EXPECT_THAT(
      error_of(bench.make("pattern", {{"speed", std::numeric_limits<double>::quiet_NaN()}})),
      HasSubstr("is not a number"));
}

TEST(Catalog, ListsAllParametersThatAreWrong) {
  Bench bench;
  const auto error = error_of(bench.make("pattern", {{"speed", true}, {"style", 1.0}}));
  EXPECT_THAT(error, HasSubstr("\"speed\" = true"));
  EXPECT_THAT(error, HasSubstr("\n"));
  EXPECT_THAT(error, HasSubstr("\"style\" = 1: give text"));
}

TEST(Catalog, ClampsANumberAndSaysSo) {
  Bench bench;
  EXPECT_TRUE(bench.make("pattern", {{"speed", 1000.0}, {"color", std::vector<double>{2, 0, 0}}})
                  .has_value());
  EXPECT_THAT(
      bench.events().lines(),
      ElementsAre(
          "left.fx: parameter \"color\" = [2, 0, 0] is not within 0 to 1: [1, 0, 0] is used",
          "left.fx: parameter \"speed\" = 1000 is not within -64 to 64: 64 is used"));
}

/// A folder with one library; the test decides what a probe finds in it.
class CatalogProbes : public ::testing::Test {
 protected:
  CatalogProbes() {
    EXPECT_TRUE(write_file_atomically(folder_ / "any.so", "a library, let us say").has_value());
    catalog_.emplace(std::vector{folder_.path()}, &clock_);
    catalog_->probe_libraries_with([this](const auto&) {
      return [this](const auto&) {
        ++looks_;
        return ProbeResult{found_, may_pass_};
      };
    });
    catalog_->probe_memory_with([this](const auto&) {
      ++probes_;
      return kept_;
    });
  }

  const testing::TemporaryFolder folder_;
  testing::ManualClock clock_;
  Result<Description> found_ = fail("no descriptor is left");
  bool may_pass_ = true;
  Result<Memory> kept_ = fail("it could not be started");
  int looks_ = 0;
  int probes_ = 0;
  std::optional<Catalog> catalog_;
};

TEST_F(CatalogProbes, AreTriedAgainLaterWhereWhatFailedMayPass) {
  EXPECT_FALSE(catalog_->is_known({"frei0r/any"}));
  EXPECT_EQ(error_of(catalog_->describe("frei0r/any")), "no descriptor is left");
  EXPECT_FALSE(catalog_->is_retry_due());
  EXPECT_FALSE(catalog_->retry_one());
  EXPECT_EQ(looks_, 1);
  clock_.advance(Catalog::kPauseMin);
  found_ = Description{.id = "frei0r/any", .kind = Kind::filter};
  EXPECT_TRUE(catalog_->is_retry_due());
  EXPECT_EQ(catalog_->retry_one(), "frei0r/any");
  EXPECT_TRUE(catalog_->describe("frei0r/any"));
  clock_.advance(Catalog::kPauseMax);
  EXPECT_FALSE(catalog_->is_retry_due());
  EXPECT_EQ(looks_, 2);
}

TEST_F(CatalogProbes, AreNotTriedAgainByWhoOnlyAsks) {
  EXPECT_FALSE(catalog_->describe("frei0r/any"));
  clock_.advance(Catalog::kPauseMax);
  EXPECT_TRUE(catalog_->is_known({"frei0r/any"})) << "no edit waits for what is tried again";
  EXPECT_FALSE(catalog_->describe("frei0r/any"));
  catalog_->probe({"frei0r/any"});
  EXPECT_TRUE(catalog_->list().empty());
  EXPECT_EQ(looks_, 1);
}

TEST_F(CatalogProbes, AreDoneAtOnceWhereTheFileHasChanged) {
  EXPECT_FALSE(catalog_->describe("frei0r/any"));
  ASSERT_TRUE(write_file_atomically(folder_ / "any.so", "another one").has_value());
  found_ = Description{.id = "frei0r/any", .kind = Kind::filter};
  EXPECT_FALSE(catalog_->is_known({"frei0r/any"}));
  EXPECT_TRUE(catalog_->describe("frei0r/any"));
}

TEST_F(CatalogProbes, AreTriedLessAndLessOften) {
  EXPECT_FALSE(catalog_->describe("frei0r/any"));
  clock_.advance(Catalog::kPauseMin);
  EXPECT_FALSE(catalog_->retry_one());
  clock_.advance(Catalog::kPauseMin);
  EXPECT_FALSE(catalog_->retry_one());
  EXPECT_EQ(looks_, 2);
  clock_.advance(Catalog::kPauseMin);
  EXPECT_FALSE(catalog_->retry_one());
  EXPECT_EQ(looks_, 3);
}

TEST_F(CatalogProbes, AreNotTriedAgainWhereTheLibraryIsToBlame) {
  may_pass_ = false;
  EXPECT_FALSE(catalog_->describe("frei0r/any"));
  clock_.advance(Catalog::kPauseMax);
  EXPECT_FALSE(catalog_->is_retry_due());
}

/// Two libraries. A probe of "hang" waits until the test releases it.
class CatalogHang : public ::testing::Test {
 protected:
  CatalogHang() {
    for (const auto* name : {"any.so", "hang.so"})
      EXPECT_TRUE(write_file_atomically(folder_ / name, "a library, let us say").has_value());
    catalog_.emplace(std::vector{folder_.path()});
    catalog_->probe_libraries_with([this](const auto&) {
      return [this](const std::filesystem::path& file) {
        const auto id = "frei0r/" + file.stem().string();
        ++looks_;
        if (id == "frei0r/any") return ProbeResult{Description{.id = id, .kind = Kind::filter}};
        if (++hangs_ > 1) return ProbeResult{fail("it hung again"), true};
        is_hanging_.count_down();
        let_go_.get_future().wait();
        return ProbeResult{fail("it hung"), true};
      };
    });
  }

  const testing::TemporaryFolder folder_;
  std::latch is_hanging_{1};
  std::promise<void> let_go_;
  std::atomic<int> looks_ = 0;
  std::atomic<int> hangs_ = 0;
  std::optional<Catalog> catalog_;
};

TEST_F(CatalogHang, HoldsUpNobodyWhoAsksForAnother) {
  auto all =
      std::async(std::launch::async, [&] { catalog_->probe({"frei0r/hang", "frei0r/any"}); });
  is_hanging_.wait();
  EXPECT_TRUE(catalog_->describe("frei0r/any")) << "the list has not come to it yet";
  EXPECT_FALSE(catalog_->is_known({"frei0r/hang"}));
  let_go_.set_value();
  all.wait();
  EXPECT_EQ(looks_, 2) << "each was looked at once";
}

TEST_F(CatalogHang, HoldsUpWhoAsksForItUntilItIsKnown) {
  auto first =
      std::async(std::launch::async, [&] { return error_of(catalog_->describe("frei0r/hang")); });
  is_hanging_.wait();
  auto second =
      std::async(std::launch::async, [&] { return error_of(catalog_->describe("frei0r/hang")); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  let_go_.set_value();
  EXPECT_EQ(first.get(), "it hung");
  EXPECT_EQ(second.get(), "it hung");
  EXPECT_EQ(looks_, 1);
}

TEST_F(CatalogHang, IsLookedAtAgainWhereItsFileHasChangedMeanwhile) {
  auto first = std::async(std::launch::async, [&] { catalog_->probe({"frei0r/hang"}); });
  is_hanging_.wait();
  ASSERT_TRUE(write_file_atomically(folder_ / "hang.so", "another one").has_value());
  let_go_.set_value();
  first.wait();
  EXPECT_EQ(looks_, 2);
  EXPECT_TRUE(catalog_->is_known({"frei0r/hang"}));
}

TEST_F(CatalogProbes, AtWhatAPluginKeepsAreTriedAgainLater) {
  found_ = Description{.id = "frei0r/any", .kind = Kind::filter};
  EXPECT_FALSE(catalog_->is_memory_known("frei0r/any"));
  EXPECT_EQ(error_of(catalog_->memory("frei0r/any")), "it could not be started");
  EXPECT_FALSE(catalog_->is_retry_due());
  clock_.advance(Catalog::kPauseMin);
  EXPECT_TRUE(catalog_->is_memory_known("frei0r/any")) << "no edit waits for what is tried again";
  EXPECT_FALSE(catalog_->memory("frei0r/any"));
  EXPECT_EQ(probes_, 1);
  kept_ = Memory::none;
  EXPECT_EQ(catalog_->retry_one(), "frei0r/any");
  EXPECT_EQ(catalog_->memory("frei0r/any").value(), Memory::none);
  clock_.advance(Catalog::kPauseMax);
  EXPECT_FALSE(catalog_->is_retry_due());
  EXPECT_EQ(probes_, 2);
}

}  // namespace
}  // namespace submix::plugin
