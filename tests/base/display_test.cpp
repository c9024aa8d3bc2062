// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/display.hpp"

#include "common/base/plain_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace submix {
namespace {

using ::testing::HasSubstr;

Display display(std::string name, int x = 0) {
  return {.name = std::move(name), .x = x, .y = 0, .size = {1920, 1080}, .refresh_hz = 60};
}

const std::vector<Display> kLaptop{display("eDP-1 14\""), display("EPSON PJ", 1920)};

TEST(ChooseDisplay, FindsTheNameWhereverItIsInTheList) {
  EXPECT_EQ(choose_display("EPSON PJ", 0, kLaptop), DisplayChoice{.number = 1});
  EXPECT_EQ(choose_display("EPSON PJ", 1, {display("EPSON PJ"), display("other")}),
            DisplayChoice{.number = 0});
}

TEST(ChooseDisplay, TakesTheNumberWithoutAName) {
  EXPECT_EQ(choose_display("", 1, kLaptop), DisplayChoice{.number = 1});
  EXPECT_EQ(choose_display("", 0, kLaptop), DisplayChoice{.number = 0});
}

TEST(ChooseDisplay, SaysThatANumberIsMissingAndCoversTheFirstAsBefore) {
  const auto choice = choose_display("", 7, {display("only")});
  EXPECT_EQ(choice.number, 0U);
  EXPECT_EQ(choice.missing, "there is no display 7, only 1: the window is on the first");
  EXPECT_TRUE(choice.may_cover);
}

TEST(ChooseDisplay, NamesTheMissingDisplayAndThoseThatAreThere) {
  const auto choice = choose_display("BenQ", 1, kLaptop);
  EXPECT_EQ(choice.number, 1U) << "the one in its place";
  EXPECT_TRUE(choice.may_cover);
  EXPECT_EQ(
      choice.missing,
      "the display \"BenQ\" is missing; there are \"eDP-1 14\"\", \"EPSON PJ\". The output is "
      "on \"EPSON PJ\", and goes over when its display comes");
}

TEST(ChooseDisplay, DoesNotCoverTheOnlyScreenForAMissingProjector) {
  const auto choice = choose_display("EPSON PJ", 1, {display("eDP-1 14\"")});
  EXPECT_EQ(choice.number, 0U);
  EXPECT_FALSE(choice.may_cover) << "a person works there";
  EXPECT_THAT(choice.missing, HasSubstr("there is only \"eDP-1 14\"\""));
}

// A reading with a longer trouble would be refused as a whole, and its node would seem silent.
TEST(ChooseDisplay, SaysNoMoreThanAReadingMayHold) {
  std::vector<Display> many(kDisplaysMax, display(std::string(500, 'y')));
  many = with_own_names(std::move(many));
  constexpr std::size_t kTroubleBytesMax = 4096;
  for (const auto& name : {std::string(4096, 'x'), std::string(4096, '\x01')})
    EXPECT_LT(choose_display(name, 0, many).missing.size(), kTroubleBytesMax);
}

TEST(ChooseDisplay, HasAnAnswerWithoutAnyDisplay) {
  EXPECT_THAT(choose_display("EPSON PJ", 0, {}).missing, HasSubstr("no other"));
  EXPECT_THAT(choose_display("", 0, {}).missing, HasSubstr("only 0"));
  EXPECT_EQ(choose_display("", -3, kLaptop).number, 0U);
}

TEST(OwnNames, NumberDisplaysOfOneName) {
  const auto named =
      with_own_names({display("PJ"), display("PJ (2)"), display("PJ"), display("PJ")});
  std::vector<std::string> names;
  for (const auto& each : named)
    names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"PJ", "PJ (2)", "PJ (3)", "PJ (4)"}));
}

TEST(OwnNames, ArePlainShortAndNeverEmpty) {
  const std::string long_name(500, 'x');
  const auto named = with_own_names(
      {display(""), display("a\x1b[2Jb\n\xff"), display(long_name), display(long_name)});
  std::set<std::string> names;
  for (const auto& each : named) {
    EXPECT_TRUE(is_one_plain_line(each.name)) << each.name;
    EXPECT_LE(each.name.size(), kDisplayNameBytesMax);
    names.insert(each.name);
  }
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(named.front().name, "display 0");
}

TEST(OwnNames, AreGivenToNoMoreDisplaysThanAReportHas) {
  EXPECT_EQ(with_own_names(std::vector<Display>(100)).size(), kDisplaysMax);
}

TEST(ModeText, LeavesOutARateThatIsNotKnown) {
  EXPECT_EQ(mode_text(kLaptop[0]), "1920x1080 at 60 Hz");
  EXPECT_EQ(mode_text({.name = "x", .x = 0, .y = 0, .size = {640, 480}, .refresh_hz = 0}),
            "640x480");
}

}  // namespace
}  // namespace submix
