// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/plain_text.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(PlainText, KeepsLettersOfAllLanguages) {
  EXPECT_EQ(plain_text("Größe \"2\" 大", 100), "Größe \"2\" 大");
}

TEST(PlainText, ShowsWhatWouldSteerATerminal) {
  EXPECT_EQ(plain_text("a\x1b[2Jb\nc", 100), "a\\x1b[2Jb\\x0ac");
  EXPECT_EQ(plain_text("\xc2\x9b"
                       "2J",
                       100),
            "\\xc2\\x9b2J")
      << "the same, as one letter";
}

TEST(PlainText, ShowsWhatIsNoLetter) {
  EXPECT_EQ(plain_text("a\xc3", 100), "a\\xc3");
  EXPECT_EQ(plain_text("\xff\xfe", 100), "\\xff\\xfe");
}

TEST(PlainText, CutsBetweenLetters) {
  EXPECT_EQ(plain_text("aäb", 2), "a…");
  EXPECT_EQ(plain_text("aäb", 4), "aäb");
  EXPECT_EQ(plain_text("a\x1b", 3), "a…");
}

TEST(PlainText, ShowsWhatTurnsTheDirectionOfWriting) {
  EXPECT_EQ(plain_text("a\u202eb", 100), "a\\xe2\\x80\\xaeb");
  EXPECT_FALSE(is_one_plain_line("a\u2066b"));
  EXPECT_FALSE(is_one_plain_line("a\u2028b")) << "another line end";
}

TEST(PlainText, IsOneLineOfLetters) {
  EXPECT_TRUE(is_one_plain_line(""));
  EXPECT_TRUE(is_one_plain_line("Größe 大 שלום"));
  for (const auto* bad : {"a\nb", "a\tb", "a\x1b[2J", "\x7f", "\xc2\x9b", "a\xc3", "\xed\xa0\x80",
                          "\xf5\x80\x80\x80"})
    EXPECT_FALSE(is_one_plain_line(bad)) << bad;
  EXPECT_FALSE(is_one_plain_line(std::string_view("a\0b", 3)));
}

TEST(PlainText, OfSeveralLinesKeepsThemAndNothingElseThatSteers) {
  EXPECT_EQ(plain_lines("a\n\tb"), "a\n\tb");
  EXPECT_EQ(plain_lines("a\x1b]0;x\x07\r\nb\xff"
                        "c"),
            "a�]0;x��\nb�c");
  EXPECT_EQ(plain_lines("\u202e"), "�");
}

TEST(PlainText, BecomesOneLine) {
  EXPECT_EQ(one_line("Makes it\n  glow.\r\n\tAnd more\n"), "Makes it glow. And more");
  EXPECT_EQ(one_line("  indented  twice"), "  indented  twice");
  EXPECT_EQ(one_line("\n\n"), "");
}

TEST(PlainText, OfLaterLinesIsIndented) {
  EXPECT_EQ(indented("one"), "one");
  EXPECT_EQ(indented("one\ntwo\n  three"), "one\n  two\n    three");
}

}  // namespace
}  // namespace submix
