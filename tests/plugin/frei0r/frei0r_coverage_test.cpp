// SPDX-License-Identifier: GPL-3.0-or-later
// Which plugins draw every pixel, whatever their output held before.

#include "common/base/result.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_library.hpp"
#include "node/plugin/frei0r/frei0r_trial.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace submix::plugin {
namespace {

using testing::kIsSanitized;

constexpr std::array kSizes{Size{96, 64},
                            // The second size is not made of blocks of 16.
                            Size{136, 104}};
constexpr int kFrames = 8;

/// Settings of the parameters, and more if a text has more values. A few by default. The table was
/// made with SUBMIX_SETTINGS=300, which takes minutes.
int settings() {
  const char* const wanted =
      std::getenv("SUBMIX_SETTINGS");  // NOLINT(concurrency-mt-unsafe): no thread yet
  return wanted == nullptr ? 6 : std::atoi(wanted);
}

/// Two instances that draw the same pictures over different ones.
class Pair {
 public:
  Pair(const Frei0rLibrary& library, Size size) : trial_(library, size), one_(size), other_(size) {}

  [[nodiscard]] int settings_to_try() const { return trial_.settings_to_try(); }

  Result<bool> are_alike(int setting) {
    auto one = trial_.make(setting);
    auto other = trial_.make(setting);
    SUBMIX_TRY(one);
    SUBMIX_TRY(other);
    for (int frame = 0; frame < kFrames; ++frame) {
      one_.fill(1);
      other_.fill(2);
      trial_.draw_over(**one, frame, one_);
      trial_.draw_over(**other, frame, other_);
      if (!std::ranges::equal(one_.rgba(), other_.rgba())) return false;
    }
    return true;
  }

 private:
  Trial trial_;
  TrialPicture one_;
  TrialPicture other_;
};

bool draws_every_pixel(const Frei0rLibrary& library) {
  for (const auto size : kSizes) {
    Pair pair(library, size);
    for (int setting = 0; setting < std::max(settings(), pair.settings_to_try()); ++setting) {
      const auto are_alike = pair.are_alike(setting);
      EXPECT_TRUE(are_alike) << are_alike.error().message;
      if (!are_alike || !*are_alike) return false;
    }
  }
  return true;
}

const Frei0rLibrary& library(const std::string& name) {
  return **Frei0rLibrary::load(frei0r_folders().back() / (name + ".so"));
}

TEST(Frei0rCoverage, IsWholeWhereNothingIsCleared) {
  if (kIsSanitized) GTEST_SKIP();
  int checked = 0;
  const Catalog catalog({frei0r_folders().back()});
  for (const auto& description : catalog.list()) {
    const auto& plugin = **Frei0rLibrary::load(catalog.library_of(description.id).value());
    if (plugin.clears_output) continue;
    EXPECT_TRUE(draws_every_pixel(plugin)) << description.id;
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

TEST(Frei0rCoverage, IsFoundWantingInThoseThatLeavePixelsOut) {
  for (const auto* name : {"cartoon", "colorhalftone", "aech0r"}) {
    EXPECT_FALSE(draws_every_pixel(library(name))) << name;
    EXPECT_TRUE(library(name).clears_output) << name;
  }
}

TEST(Frei0rCoverage, IsNotTakenForGrantedInSourcesAndInWhatNobodyKnows) {
  EXPECT_TRUE(library("plasma").clears_output);
  EXPECT_TRUE(Frei0rLibrary().clears_output);
}

}  // namespace
}  // namespace submix::plugin
