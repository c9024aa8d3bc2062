// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_known.hpp"

#include "common/show/document.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/frei0r/frei0r_library.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace submix::plugin {
namespace {

Description glow() {
  return {.id = "frei0r/glow", .author = "Richard Spindler", .own_name = "Glow", .version = "0.1"};
}

TEST(Frei0rKnown, IsWhatItsFileNameAuthorAndVersionTell) {
  EXPECT_EQ(known_frei0r_memory(glow()), Memory::none);
}

TEST(Frei0rKnown, IsNoPluginThatDiffersInOneOfThem) {
  for (const auto part :
       {&Description::id, &Description::author, &Description::own_name, &Description::version}) {
    auto other = glow();
    other.*part += "x";
    EXPECT_EQ(known_frei0r_memory(other), Memory::unknown) << other.*part;
  }
}

/// A folder with one plugin under the name of another. It draws every pixel and keeps nothing.
class AnotherGlow : public ::testing::Test {
 protected:
  AnotherGlow() { std::filesystem::copy_file(SUBMIX_TEST_PLUGIN, file_); }

  testing::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "glow.so";
};

TEST_F(AnotherGlow, HasItsOutputCleared) {
  const auto* const library = Frei0rLibrary::load(file_).value();
  EXPECT_TRUE(library->clears_output);
  EXPECT_FALSE((*Frei0rLibrary::load(frei0r_folders().back() / "glow.so"))->clears_output);
}

TEST_F(AnotherGlow, IsNotTakenForOneThatKeepsNothing) {
  const Catalog catalog({folder_.path()});
  EXPECT_EQ((*catalog.describe("frei0r/glow"))->memory, Memory::unknown);
}

}  // namespace
}  // namespace submix::plugin
