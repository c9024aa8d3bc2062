// SPDX-License-Identifier: GPL-3.0-or-later
// DejaVu Sans, which Submix needs anyway, has the Armenian letters of this test.
#include "controller/ui/draw/other_letters.hpp"

#include "controller/ui/draw/theme.hpp"
#include "controller/ui/shell/imgui_window.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

constexpr ImWchar kArmenianAyb = 0x0531;
constexpr const char* kArmenianName = "\u0531";
constexpr ImWchar kUnassigned = 0x2FE0;

class OtherLettersTest : public ::testing::Test {
 protected:
  OtherLettersTest() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(1440, 900);
  }
  ~OtherLettersTest() override { ImGui::DestroyContext(context_); }
  OtherLettersTest(const OtherLettersTest&) = delete;
  OtherLettersTest& operator=(const OtherLettersTest&) = delete;

  static void draw(const char* name) {
    ImGui::NewFrame();
    ImGui::Begin("window");
    ImGui::TextUnformatted(name);
    ImGui::End();
    ImGui::Render();
  }

  ImGuiContext* context_;
};

TEST_F(OtherLettersTest, DrawsALetterFromAnotherFontOnceItWasSeen) {
  ContextLook look;
  ASSERT_TRUE(look.fit({}));
  draw(kArmenianName);
  ASSERT_TRUE(other_letters().has_new());

  other_letters().find(*look.fonts().text);

  ASSERT_TRUE(look.fit({})) << "the window's fonts are as before";
  for (const auto* font : {look.fonts().text, look.fonts().strong, look.fonts().small,
                           look.fonts().large, look.fonts().mono}) {
    EXPECT_NE(font->FindGlyphNoFallback(kArmenianAyb), nullptr);
  }
  draw(kArmenianName);
  EXPECT_FALSE(other_letters().has_new());
  EXPECT_FALSE(look.fit({})) << "the fonts are made anew for letters that are there";
}

TEST_F(OtherLettersTest, KeepsTheFontsWhereTheyHaveAllLetters) {
  ContextLook look;
  ASSERT_TRUE(look.fit({}));
  OtherLetters letters;
  letters.meet(U'\u00E9');

  letters.find(*look.fonts().text);

  EXPECT_FALSE(letters.has_new());
  EXPECT_EQ(letters.changes(), 0);
}

TEST_F(OtherLettersTest, AsksOnceForALetterThatNoFontHas) {
  ContextLook look;
  ASSERT_TRUE(look.fit({}));
  OtherLetters letters;
  letters.meet(kUnassigned);

  letters.find(*look.fonts().text);
  letters.meet(kUnassigned);

  EXPECT_FALSE(letters.has_new());
  EXPECT_EQ(letters.changes(), 0);
  EXPECT_TRUE(letters.fonts().empty());
}

TEST_F(OtherLettersTest, TakesABoundedNumberOfLetters) {
  OtherLetters letters;
  ContextLook look;
  ASSERT_TRUE(look.fit({}));
  for (unsigned letter = 0x4E00; letter < 0x4E00 + OtherLetters::kLettersMax; ++letter)
    letters.meet(letter);
  letters.find(*look.fonts().text);

  letters.meet(0x9000);

  EXPECT_FALSE(letters.has_new());
}

}  // namespace
}  // namespace submix::ui
