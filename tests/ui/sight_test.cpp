// SPDX-License-Identifier: GPL-3.0-or-later
// Uses ImGui without a window: only the number of drawn rows matters.
#include "controller/ui/draw/sight.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix::ui {
namespace {

class SightTest : public ::testing::Test {
 protected:
  SightTest() {
    ImGui::CreateContext();
    auto& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(400, 300);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~SightTest() override { ImGui::DestroyContext(); }
  SightTest(const SightTest&) = delete;
  SightTest& operator=(const SightTest&) = delete;

  /// Draws a list of a hundred things, each three lines high. Returns how many of them were drawn.
  int draw(float scroll) {
    int drawn = 0;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(400, 300));
    ImGui::Begin("list", nullptr, ImGuiWindowFlags_NoSavedSettings);
    ImGui::SetScrollY(scroll);
    for (int i = 0; i < 100; ++i) {
      draw_if_seen("thing " + std::to_string(i), [&] {
        ++drawn;
        ImGui::Dummy(ImVec2(10, 20));
        ImGui::Dummy(ImVec2(10, 20));
        ImGui::Dummy(ImVec2(10, 20));
      });
    }
    length_ = ImGui::GetCursorPosY();
    ImGui::End();
    ImGui::Render();
    return drawn;
  }

  float length_ = 0;
};

TEST_F(SightTest, DrawsAllOnceToLearnHowHighTheyAre) {
  EXPECT_EQ(draw(0), 100);
}

TEST_F(SightTest, DrawsOnlyWhatCanBeSeenFromThenOn) {
  draw(0);
  EXPECT_LE(draw(0), 6);
}

TEST_F(SightTest, LeavesTheRoomOfWhatIsNotSeen) {
  draw(0);
  const float whole = length_;
  draw(0);
  EXPECT_FLOAT_EQ(length_, whole);
}

TEST_F(SightTest, DrawsWhatScrollingBringsIntoSight) {
  draw(0);
  draw(3000);
  const int drawn = draw(3000);
  EXPECT_GE(drawn, 3);
  EXPECT_LE(drawn, 7);
}

}  // namespace
}  // namespace submix::ui
