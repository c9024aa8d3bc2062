// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/plain_text.hpp"

#include <gtest/gtest.h>

namespace submix::input {
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

}  // namespace
}  // namespace submix::input
