// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_family.hpp"

#include "common/show/frei0r_renames.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

TEST(PluginFamily, IsFoundByThePrefixOfAnId) {
  ASSERT_NE(family_of("frei0r/glow"), nullptr);
  EXPECT_EQ(family_of("frei0r/glow")->name, "frei0r");
}

TEST(PluginFamily, IsNoneForBuiltInPluginsAndSubmixes) {
  for (const std::string_view plugin : {"", "clip", "frei0r", "submix/frei0r"})
    EXPECT_EQ(family_of(plugin), nullptr) << plugin;
}

TEST(PluginFamily, GivesAPluginTheSameIdInBothVersionsOfFrei0r) {
  EXPECT_EQ(common_plugin_id("frei0r/denoise_hqdn3d"), "frei0r/hqdn3d");
  for (const std::string id : {"frei0r/hqdn3d", "isf/denoise_hqdn3d", "denoise_hqdn3d", "frei0r/"})
    EXPECT_EQ(common_plugin_id(id), id);
}

}  // namespace
}  // namespace submix::show
