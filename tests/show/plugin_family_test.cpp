// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_family.hpp"

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

}  // namespace
}  // namespace submix::show
