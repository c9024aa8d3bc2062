// SPDX-License-Identifier: GPL-3.0-or-later
// Notices in a Dear ImGui context without a window.
#include "controller/ui/shell/notices.hpp"

#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/outputs_panel.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <memory>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

class NoticesScreen final : public Drawing {
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

class NoticesTest : public ::testing::Test {
 protected:
  NoticesTest() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(1440, 900);
    fonts_ = load_fonts(1);
    apply_theme({});
    state_.notice = OwnNotice{"the disk is full; make room", view_.now};
  }
  ~NoticesTest() override { ImGui::DestroyContext(context_); }
  NoticesTest(const NoticesTest&) = delete;
  NoticesTest& operator=(const NoticesTest&) = delete;

  ImGuiContext* context_;
  model::ClusterView view_;
  session::Pictures pictures_;
  input::InputView input_;
  Fonts fonts_;
  PanelState state_;
  NoticesScreen screen_;
  PictureTextures textures_{screen_};
  std::vector<session::Action> actions_;
  std::vector<input::InputAction> input_actions_;
  std::vector<session::PictureKey> watched_;
  Panel panel_{view_,     pictures_, input_,         fonts_,  state_,
               textures_, actions_,  input_actions_, watched_};
};

TEST_F(NoticesTest, LieAboveATooltip) {
  std::string topmost;
  for (int frame = 0; frame < 4; ++frame) {
    ImGui::NewFrame();
    draw_notices(panel_);
    ImGui::SetNextWindowPos(ImVec2(700, 850));
    ImGui::SetTooltip("what the button does");
    ImGui::Render();
    const auto& data = *ImGui::GetDrawData();
    if (data.CmdListsCount == 0) continue;  // the sizes of new windows are not known yet
    topmost = data.CmdLists[data.CmdListsCount - 1]->_OwnerName;
  }
  EXPECT_EQ(topmost, "notice 0");
}

TEST_F(NoticesTest, LeaveTheFadersOfThePagePerformInView) {
  view_.show = std::make_shared<const show::Show>();
  state_.page = "perform";
  state_.perform->layers_top = 700;
  for (int frame = 0; frame < 3; ++frame) {  // the sizes of new windows are not known yet
    ImGui::NewFrame();
    draw_notices(panel_);
    ImGui::Render();
  }
  const auto* notice = ImGui::FindWindowByName("notice 0");
  ASSERT_NE(notice, nullptr);
  EXPECT_LT(notice->Pos.y + notice->Size.y, 700);
  EXPECT_GT(notice->Pos.y, 600);
}

// They covered "Full screen" and "Identify".
TEST_F(NoticesTest, LeaveTheRowOfOutputsInView) {
  show::Show show;
  show.submixes.resize(1);
  show.submixes[0].name = "mix";
  show.submixes[0].slots.resize(1);
  show.submixes[0].slots[0].name = "screen";
  show.submixes[0].slots[0].plugin = "window";
  view_.show = std::make_shared<const show::Show>(std::move(show));
  state_.page = "perform";
  state_.perform->layers_top = 700;
  float outputs = 0;
  for (int frame = 0; frame < 3; ++frame) {  // the sizes of new windows are not known yet
    ImGui::NewFrame();
    draw_notices(panel_);
    outputs = outputs_height(panel_);
    ImGui::Render();
  }
  const auto* notice = ImGui::FindWindowByName("notice 0");
  ASSERT_NE(notice, nullptr);
  EXPECT_GT(outputs, 20);
  EXPECT_LT(notice->Pos.y + notice->Size.y, 700 - outputs);
}

// They covered Close and Save.
TEST_F(NoticesTest, LeaveTheButtonsOfADialogInView) {
  for (const float height : {200.0F, 650.0F, 830.0F}) {
    for (int frame = 0; frame < 4; ++frame) {  // the sizes of new windows are not known yet
      ImGui::NewFrame();
      draw_notices(panel_);
      begin_dialog("dialog", 620, panel_);
      ImGui::Dummy(ImVec2(10, height));
      end_dialog();
      ImGui::Render();
    }
    const auto* notice = ImGui::FindWindowByName("notice 0");
    const auto* dialog = ImGui::FindWindowByName("dialog");
    ASSERT_NE(notice, nullptr);
    ASSERT_NE(dialog, nullptr);
    const float end = notice->Pos.y + notice->Size.y;
    const float buttons = dialog->Pos.y + dialog->Size.y - 60;
    const bool is_above = end <= dialog->Pos.y + 45;
    const bool is_below = notice->Pos.y >= dialog->Pos.y + dialog->Size.y;
    EXPECT_TRUE(is_above || is_below) << height << ": ends at " << end << ", buttons " << buttons;
    EXPECT_LE(end, 900);
  }
}

}  // namespace
}  // namespace submix::ui
