// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/commands.hpp"

#include "controller/ui/pages.hpp"

#include <SDL_keycode.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace submix::ui {
namespace {

TEST(Commands, ShareNoKey) {
  for (const auto& command : commands()) {
    for (const auto& press : command.keys) {
      if (press.key == 0) continue;
      EXPECT_EQ(find_command(press), &command) << command.title;
    }
  }
  for (std::size_t i = 0; i < pages().size(); ++i)
    EXPECT_EQ(find_command(page_key(i)), nullptr) << pages()[i].title;
}

TEST(Commands, HaveAKeyEachAndSoHavePages) {
  for (const auto& command : commands())
    EXPECT_NE(command.keys[0].key, 0) << command.title;
  for (std::size_t i = 0; i < pages().size(); ++i)
    EXPECT_NE(page_key(i).key, 0) << pages()[i].title;
}

TEST(Commands, NameTheirKeysAsPeopleReadThem) {
  EXPECT_EQ(keys_text({SDLK_z, true, true}), "Ctrl+Shift+Z");
  EXPECT_EQ(keys_text({SDLK_SPACE, false, true}), "Shift+Space");
  EXPECT_EQ(keys_text({SDLK_F1, false, false}), "F1");
  EXPECT_EQ(keys_text(KeyPress{}), "");
}

TEST(Commands, NeedTheirModifiersAsStated) {
  ASSERT_NE(find_command({SDLK_z, true, false}), nullptr);
  EXPECT_EQ(find_command({SDLK_z, true, false})->title, "Undo");
  EXPECT_EQ(find_command({SDLK_z, false, false}), nullptr);
}

TEST(Pages, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const auto& page : pages())
    EXPECT_TRUE(ids.insert(page.id).second) << page.id;
}

}  // namespace
}  // namespace submix::ui
