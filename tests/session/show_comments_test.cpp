// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/show_comments.hpp"

#include <gtest/gtest.h>

namespace submix::session {
namespace {

TEST(ShowComments, LeadUpToTheFirstOtherLine) {
  EXPECT_EQ(leading_comments("# a\n\n  # b\n\n[show]\n# c\n"), "# a\n\n  # b\n");
  EXPECT_EQ(leading_comments("[show]\n# c\n"), "");
  EXPECT_EQ(leading_comments("# a"), "# a");
  EXPECT_EQ(leading_comments("\n\n"), "");
  EXPECT_EQ(leading_comments(""), "");
}

TEST(ShowComments, AreNotInStrings) {
  EXPECT_FALSE(has_comments("a = \"#\"\nb = '#'\nc = '''\n#'''\n"));
  EXPECT_FALSE(has_comments("c = \"\"\"\n# \" no\"\"\"\nd = \"\\\"#\"\n"));
  EXPECT_TRUE(has_comments("a = \"#\" # yes\n"));
  EXPECT_TRUE(has_comments("a = '\\' # yes\n")) << "a literal string has no escapes";
  EXPECT_FALSE(has_comments("a = \"unended #"));
}

}  // namespace
}  // namespace submix::session
