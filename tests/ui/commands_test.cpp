// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/commands.hpp"

#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/pages/pages.hpp"

#include <SDL_keycode.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace submix::ui {
namespace {

class NoDrawing final : public Drawing {
 public:
  Result<void> upload_fonts() override { return {}; }
  ImTextureID make_picture(Size) override { return {}; }
  void set_picture(ImTextureID, std::span<const std::uint8_t>) override {}
  void free_picture(ImTextureID) override {}
  void show(const ImDrawData&) override {}
  Result<media::Rgb24Image> screenshot(const ImDrawData&) override {
    return fail("nothing is drawn");
  }
};

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
  EXPECT_EQ(keys_text({SDLK_SPACE, true, true}), "Ctrl+Shift+Space");
  EXPECT_EQ(keys_text({SDLK_PAUSE, false, false}), "Pause");
  EXPECT_EQ(keys_text({SDLK_F1, false, false}), "F1");
  EXPECT_EQ(keys_text(KeyPress{}), "");
}

// Text typed into a field without the keyboard focus must not stop the show.
TEST(Commands, LetNoLetterAndNoBlankAloneActOnTheShow) {
  for (const auto& command : commands()) {
    if (command.group == "View") continue;
    for (const auto& press : command.keys) {
      const bool types_something = press.key >= SDLK_SPACE && press.key < SDLK_DELETE;
      EXPECT_TRUE(press.has_control || !types_something) << command.title;
    }
  }
  EXPECT_EQ(find_command({SDLK_SPACE, false, false}), nullptr);
  EXPECT_EQ(find_command({SDLK_g, false, false}), nullptr);
}

TEST(Commands, NeedTheirModifiersAsStated) {
  ASSERT_NE(find_command({SDLK_z, true, false}), nullptr);
  EXPECT_EQ(find_command({SDLK_z, true, false})->title, "Undo");
  EXPECT_EQ(find_command({SDLK_z, false, false}), nullptr);
}

TEST(Commands, GoBackToTheLastGoodShowWithOnePressAndOnlyWhereItIsAnother) {
  model::ClusterView view;
  const session::Pictures pictures;
  const input::InputView input;
  const Fonts fonts{};
  PanelState state;
  NoDrawing drawing;
  PictureTextures textures(drawing);
  std::vector<session::Action> actions;
  std::vector<input::InputAction> input_actions;
  std::vector<session::PictureKey> watched;
  Panel panel{view, pictures, input, fonts, state, textures, actions, input_actions, watched};
  const auto* command = find_command({SDLK_g, true, true});
  ASSERT_NE(command, nullptr);
  execute(*command, panel);
  EXPECT_TRUE(actions.empty()) << "there is none yet";
  view.show = std::make_shared<const show::Show>();
  auto good = *view.show;
  good.name = "good";
  view.good_show = std::make_shared<const show::Show>(good);
  execute(*command, panel);
  ASSERT_EQ(actions.size(), 1U);
  const auto& edit = std::get<session::EditShow>(actions[0]);
  EXPECT_TRUE(edit.is_undoable);
  EXPECT_EQ(std::get<model::ReplaceShow>(edit.edit).show, view.good_show);
}

TEST(Pages, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const auto& page : pages())
    EXPECT_TRUE(ids.insert(page.id).second) << page.id;
}

}  // namespace
}  // namespace submix::ui
