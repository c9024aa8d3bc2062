// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/io_plugins.hpp"

#include "tests/io/numbered_clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::io {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

plugin::Setup bare_setup(show::Parameters parameters) {
  plugin::Setup setup;
  setup.submix = "left";
  setup.slot = "movie";
  setup.size = {128, 64};
  setup.parameters = std::move(parameters);
  return setup;
}

TEST(IoPlugins, AreInTheCatalogOfANode) {
  plugin::Catalog catalog(std::vector<std::filesystem::path>{});
  add_io_plugins(catalog, {});
  EXPECT_THAT(catalog.ids(),
              IsSupersetOf({"camera-out", "capture", "clip", "record", "send", "still", "window"}));
}

TEST(IoPlugins, AreMadeWithTheParametersThatAShowLeavesOut) {
  const testing::TemporaryFolder folder;
  testing::write_numbered_clip(folder / "a.mp4", {});
  plugin::Catalog catalog(std::vector<std::filesystem::path>{});
  add_io_plugins(catalog, {folder.path(), folder.path()});
  const auto clip = catalog.create("clip", bare_setup({{"file", "a.mp4"}}));
  ASSERT_TRUE(clip) << clip.error().message;
  testing::PluginRig rig;
  EXPECT_EQ(testing::shown_number(rig.make(**clip, 13)), 3);
  EXPECT_TRUE(catalog.create("record", bare_setup({})));
}

TEST(IoPlugins, RefuseAChoiceThatIsNotThere) {
  plugin::Catalog catalog(std::vector<std::filesystem::path>{});
  add_io_plugins(catalog, {});
  const auto made = catalog.create("record", bare_setup({{"codec", "divx"}}));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("ffv1"));
}

}  // namespace
}  // namespace submix::io
