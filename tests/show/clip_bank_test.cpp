// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_bank.hpp"

#include "common/show/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::show {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ClipBank, IsItsFileAloneWhereNoBankIsStated) {
  EXPECT_THAT(clip_bank_of({{"file", std::string("a.mp4")}}), ElementsAre(BankClip{"a.mp4", {}}));
  EXPECT_THAT(clip_bank_of({}), SizeIs(1));
}

TEST(ClipBank, ComesBackFromItsTexts) {
  const ClipBank bank{{"a.mp4", {1.5, 4}}, {"b/c d.mp4", {}}, {"e.mp4", {0.25}}};
  EXPECT_EQ(bank_text(bank), "b/c d.mp4|e.mp4");
  EXPECT_EQ(points_text(bank), "1.500 4.000||0.250");
  EXPECT_EQ(clip_bank_of({{"file", std::string("a.mp4")},
                          {"bank", bank_text(bank)},
                          {"points", points_text(bank)}}),
            bank);
  EXPECT_EQ(points_text({{"a.mp4", {}}, {"b.mp4", {}}}), "");
}

TEST(ClipBank, LeavesOutWhatIsNoPointAndWhatIsTooMuch) {
  const auto bank =
      clip_bank_of({{"file", std::string("a")},
                    {"bank", std::string("|b||c|d|e|f|g|h|i|j")},
                    {"points", std::string("1 x -1 nan 1e400 2s 2|7|1 2 3 4 5 6 7 8 9")}});
  EXPECT_THAT(bank, SizeIs(kBankClipsMax));
  EXPECT_THAT(bank[0].points, ElementsAre(1, 2));
  EXPECT_THAT(bank[1].points, ElementsAre(7));
  EXPECT_THAT(bank[2].points, SizeIs(kCuePointsMax));
}

TEST(ClipBank, KeepsThePartOfEachClip) {
  const ClipBank bank{{"a.mp4", {}, {0.5, 2}},
                      {"b.mp4", {}, {1.5, 4.123456}},
                      {"c.mp4"},
                      {"d.mp4", {}, {2.25, 0}},
                      {"e.mp4"}};
  EXPECT_EQ(parts_text(bank), "1.5-4.123456||2.25-");
  EXPECT_EQ(clip_bank_of({{"file", std::string("a.mp4")},
                          {"bank", bank_text(bank)},
                          {"in", 0.5},
                          {"out", 2.0},
                          {"parts", parts_text(bank)}}),
            bank);
  EXPECT_EQ(parts_text({{"a.mp4", {}, {1, 2}}, {"b.mp4"}}), "") << "clip 1 has its own numbers";
}

TEST(ClipBank, PlaysAClipWholeWhosePartIsDamaged) {
  const auto part = [](const char* text) {
    return clip_part_of({{"parts", std::string(text)}}, 2);
  };
  for (const auto* text : {"", "-", "1", "-2", "2-2", "3-1", "1-2-3", "a-b", "1-b", "nan-2",
                           "1-inf", "1e400-", " 1-2", "1 - 2", "-1-2"})
    EXPECT_EQ(part(text), ClipPart()) << text;
  EXPECT_EQ(part("0-3"), (ClipPart{0, 3}));
  EXPECT_EQ(part("1e-3-2|"), (ClipPart{0.001, 2}));
  EXPECT_EQ(clip_part_of({{"parts", 3.0}}, 2), ClipPart()) << "no text";
  EXPECT_EQ(clip_part_of({{"parts", std::string("|||||||||1-2")}}, 11), ClipPart());
  EXPECT_EQ(clip_part_of({{"in", 3.0}, {"out", 1.0}}, 1), (ClipPart{3, 1})) << "as stated";
}

TEST(ClipBank, HoldsTheLongestPartsInOneText) {
  ClipBank bank(kBankClipsMax, BankClip{"a.mp4", {}, {7198.123456, 7199.654321}});
  EXPECT_LT(parts_text(bank).size(), kTextBytesMax / 16);
}

TEST(PartWithin, EndsWithItsClip) {
  EXPECT_EQ(part_within({}, 5), (ClipPart{0, 5}));
  EXPECT_EQ(part_within({1, 3}, 5), (ClipPart{1, 3}));
  EXPECT_EQ(part_within({1, 9}, 5), (ClipPart{1, 5}));
  EXPECT_EQ(part_within({5, 9}, 5), (ClipPart{0, 5})) << "the clip has nothing of it";
  EXPECT_EQ(part_within({3, 1}, 5), (ClipPart{0, 5}));
  EXPECT_EQ(part_within({-2, -1}, 5), (ClipPart{0, 5}));
  EXPECT_EQ(part_within({1, 3}, 0), (ClipPart{1, 3})) << "its length is not known";
  EXPECT_EQ(part_within({3, 1}, 0), (ClipPart{0, 0}));
}

}  // namespace
}  // namespace submix::show
