// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_bank.hpp"

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

}  // namespace
}  // namespace submix::show
