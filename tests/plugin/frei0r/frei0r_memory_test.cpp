// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/frei0r/frei0r_memory.hpp"

#include "node/plugin/catalog.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

namespace submix::plugin {
namespace {

using testing::kIsSanitized;

std::filesystem::path file_of(const std::string& name) {
  return frei0r_folders().back() / (name + ".so");
}

// Left out: the face detectors, which see no faces here; the refused plugins, which cannot run;
// curves, which reads uninitialised memory.
bool is_spared(const std::string& name) {
  return name == "facebl0r" || name == "facedetect" || name == "uvmap" || name == "curves";
}

TEST(Frei0rMemory, IsWhatTheProbeFindsInEveryFilterAndMixer) {
  if (kIsSanitized) GTEST_SKIP();
  const Catalog catalog({frei0r_folders().back()});
  for (const auto& description : catalog.list()) {
    const auto name = description.id.substr(show::kFrei0rPrefix.size());
    if (description.kind == Kind::source || is_spared(name)) continue;
    const auto probed = probe_frei0r_memory(catalog.library_of(description.id).value());
    ASSERT_TRUE(probed) << probed.error().message;
    EXPECT_EQ(to_string(*probed), to_string(description.memory)) << name;
  }
}

TEST(Frei0rMemory, IsFoundInDelaysTrailsAndDice) {
  for (const auto* name : {"delay0r", "baltan", "vertigo", "bgsubtract0r", "nervous", "rgbnoise"})
    EXPECT_EQ(probe_frei0r_memory(file_of(name)).value(), Memory::frames) << name;
  for (const auto* name : {"invert0r", "gamma", "glow", "xfade0r"})
    EXPECT_EQ(probe_frei0r_memory(file_of(name)).value(), Memory::none) << name;
}

TEST(Frei0rMemory, OfWhatIsNoPluginIsAnError) {
  EXPECT_FALSE(probe_frei0r_memory("/nowhere.so"));
}

TEST(Frei0rMemory, IsFoundWhereOnlyOneTextOfAParameterKeepsFrames) {
  EXPECT_EQ(probe_frei0r_memory(file_of("medians")).value(), Memory::frames) << "with Type = Temp3";
}

}  // namespace
}  // namespace submix::plugin
