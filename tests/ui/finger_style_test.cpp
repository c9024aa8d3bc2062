// SPDX-License-Identifier: GPL-3.0-or-later
// Heights of controls for fingers, in a Dear ImGui context without a window.
#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/theme.hpp"
#include "controller/ui/draw/widgets.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

class NoScreen final : public Drawing {
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

class FingerStyleTest : public ::testing::Test {
 protected:
  FingerStyleTest() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(1440, 900);
    fonts_ = load_fonts(1);
    apply_theme({});
    state_.is_touched = true;
  }
  ~FingerStyleTest() override { ImGui::DestroyContext(context_); }
  FingerStyleTest(const FingerStyleTest&) = delete;
  FingerStyleTest& operator=(const FingerStyleTest&) = delete;

  /// Draws a few frames: the height of a menu is known after its first one.
  template <typename Draw>
  void draw_frames(Draw draw) {
    for (int i = 0; i < 4; ++i) {
      ImGui::NewFrame();
      ImGui::Begin("window");
      draw();
      ImGui::End();
      ImGui::EndFrame();
    }
  }

  ImGuiContext* context_;
  model::ClusterView view_;
  session::Pictures pictures_;
  input::InputView input_;
  Fonts fonts_;
  PanelState state_;
  NoScreen screen_;
  PictureTextures textures_{screen_};
  std::vector<session::Action> actions_;
  std::vector<input::InputAction> input_actions_;
  std::vector<session::PictureKey> watched_;
  Panel panel_{view_,     pictures_, input_,         fonts_,  state_,
               textures_, actions_,  input_actions_, watched_};
};

TEST_F(FingerStyleTest, MakesAMenuOfOneRowAsHighAsAFingertip) {
  float height = 0;
  draw_frames([&] {
    ImGui::OpenPopup("menu");
    const FingerRows rows(panel_);
    if (!ImGui::BeginPopup("menu")) return;
    ImGui::Selectable("Take it out");
    height = ImGui::GetWindowHeight();
    ImGui::EndPopup();
  });
  EXPECT_GE(height, kFingertip);
}

TEST_F(FingerStyleTest, MakesFieldsOfDialogsAsHighAsAFingertip) {
  float height = 0;
  draw_frames([&] {
    begin_dialog("dialog", 400, panel_);
    height = ImGui::GetFrameHeight();
    end_dialog();
  });
  EXPECT_GE(height, kFingertip);
}

TEST_F(FingerStyleTest, MakesSmallButtonsAsHighAsAFingertipAndLeavesThemSmallForTheMouse) {
  float height = 0;
  const auto draw = [&] {
    static_cast<void>(small_button("Find", panel_));
    height = ImGui::GetItemRectSize().y;
  };
  draw_frames(draw);
  EXPECT_GE(height, kFingertip);
  state_.is_touched = false;
  draw_frames(draw);
  EXPECT_LT(height, kFingertip / 2);
}

}  // namespace
}  // namespace submix::ui
