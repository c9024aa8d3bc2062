// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/reassembler.hpp"

#include "tests/stream/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::stream {
namespace {

using ::testing::HasSubstr;

constexpr Size kSize{64, 47};  // 3008 pixels: two cells and a shorter third one
constexpr std::uint64_t kEpoch = 7;

class ReassemblerTest : public ::testing::Test {
 protected:
  ReassemblerTest() { reassembler.begin_epoch(kEpoch, {0}); }

  static wire::StripeHeader stripe(std::uint64_t frame, std::uint32_t offset,
                                   std::uint32_t pixels) {
    return {kEpoch, {frame}, std::chrono::nanoseconds(frame), offset, pixels};
  }
  /// Writes the next `pixels` of the stripe that `link` has begun.
  bool bring(std::size_t link, std::uint64_t frame, std::uint32_t offset, std::uint32_t pixels) {
    auto room = reassembler.room(link);
    for (std::size_t i = 0; !room.empty() && i < pixels * 4; ++i) {
      room[i] = testing::pattern_byte(frame, offset * 4 + i);
    }
    return reassembler.advance(link, pixels, {});
  }
  bool bring_stripe(std::size_t link, std::uint64_t frame, std::uint32_t offset,
                    std::uint32_t pixels) {
    EXPECT_TRUE(reassembler.begin_stripe(link, stripe(frame, offset, pixels)));
    return bring(link, frame, offset, pixels);
  }
  bool bring_frame(std::uint64_t frame) { return bring_stripe(0, frame, 0, 3008); }
  std::string refusal(const wire::StripeHeader& header) {
    const auto result = reassembler.begin_stripe(0, header);
    return result ? "accepted" : result.error().message;
  }

  Reassembler reassembler{{kSize, 2, 1}};
};

TEST_F(ReassemblerTest, ReleasesAFrameOnceAllItsStripesHaveCome) {
  EXPECT_FALSE(bring_stripe(0, 0, 2048, 960));
  EXPECT_FALSE(bring_stripe(1, 0, 0, 1024));
  EXPECT_FALSE(reassembler.take());
  EXPECT_TRUE(bring_stripe(0, 0, 1024, 1024));
  const auto frame = reassembler.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->rgba()[4 * 3007], testing::pattern_byte(0, 4 * 3007));
  EXPECT_EQ(frame->stamp().epoch, kEpoch);
}

TEST_F(ReassemblerTest, ReleasesAFrameThatCameAsAWholeAndSaysWhereItCouldBeCopiedTo) {
  EXPECT_TRUE(*reassembler.put_whole(kEpoch, {0}, testing::borrowed_frame(kSize, 0), {}));
  EXPECT_EQ(reassembler.frames_ready(), 1U);
  EXPECT_EQ(reassembler.foreign_frames(), 1U);
  const auto [frame, room, completed] = reassembler.take_with_room();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(testing::has_pattern(*frame, 0));
  EXPECT_TRUE(room);
  EXPECT_EQ(reassembler.foreign_frames(), 0U);
}

TEST_F(ReassemblerTest, DropsAWholeFrameThatIsThereAlready) {
  bring_frame(0);
  EXPECT_FALSE(*reassembler.put_whole(kEpoch, {0}, testing::borrowed_frame(kSize, 0), {}));
  const auto [frame, room, completed] = reassembler.take_with_room();
  EXPECT_FALSE(frame->is_borrowed());
  EXPECT_FALSE(room);
  EXPECT_FALSE(*reassembler.put_whole(kEpoch, {0}, testing::borrowed_frame(kSize, 0), {}));
}

TEST_F(ReassemblerTest, LeavesAFrameAloneThatHasComeAsAWholeMeanwhile) {
  ASSERT_TRUE(reassembler.begin_stripe(0, stripe(0, 0, 3008)));
  EXPECT_TRUE(*reassembler.put_whole(kEpoch, {0}, testing::borrowed_frame(kSize, 0), {}));
  EXPECT_TRUE(reassembler.room(0).empty());
  EXPECT_FALSE(bring(0, 0, 0, 3008));
  EXPECT_TRUE(testing::has_pattern(*reassembler.take(), 0));
}

TEST_F(ReassemblerTest, HasFramesThatOtherProcessesCanMapWhereItsMemoryIsShared) {
  reassembler = Reassembler({.size = kSize, .credits = 2, .backing = media::Backing::shared});
  reassembler.begin_epoch(kEpoch, {0});
  bring_frame(0);
  reassembler.begin_epoch(kEpoch + 1, {0});
  const auto [frame, room, completed] = reassembler.take_with_room();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(frame->shared_place());
  EXPECT_FALSE(room) << "it is the pool's own and need not be copied";
}

TEST_F(ReassemblerTest, RefusesWholeFramesBeyondTheCreditAndOfAnotherEpoch) {
  EXPECT_FALSE(reassembler.put_whole(kEpoch, {2}, testing::borrowed_frame(kSize, 2), {}));
  EXPECT_FALSE(reassembler.put_whole(kEpoch + 1, {0}, testing::borrowed_frame(kSize, 0), {}));
}

TEST_F(ReassemblerTest, KeepsWholeFramesOfAnEpochThatHasEnded) {
  EXPECT_TRUE(*reassembler.put_whole(kEpoch, {0}, testing::borrowed_frame(kSize, 0), {}));
  reassembler.begin_epoch(kEpoch + 1, {0});
  EXPECT_EQ(reassembler.foreign_frames(), 1U);
  EXPECT_TRUE(testing::has_pattern(*reassembler.take(), 0));
}

TEST_F(ReassemblerTest, ReleasesInOrderWhateverCompletesFirst) {
  EXPECT_FALSE(bring_frame(1));
  EXPECT_FALSE(reassembler.take());
  EXPECT_TRUE(bring_frame(0));
  EXPECT_EQ(reassembler.frames_ready(), 2U);
  EXPECT_EQ(reassembler.take()->stamp().index.value, 0U);
  EXPECT_EQ(reassembler.take()->stamp().index.value, 1U);
}

TEST_F(ReassemblerTest, GrantsCreditOnlyForFramesItHasMemoryFor) {
  std::vector<media::Frame> held;
  EXPECT_EQ(reassembler.ack(), (wire::Ack{kEpoch, {0}, {2}}));
  bring_frame(0);
  held.push_back(*reassembler.take());
  EXPECT_EQ(reassembler.ack(), (wire::Ack{kEpoch, {1}, {3}}));
  bring_frame(1);
  held.push_back(*reassembler.take());
  EXPECT_EQ(reassembler.ack(), (wire::Ack{kEpoch, {2}, {3}}))
      << "three frames in all, two are held";
  EXPECT_TRUE(reassembler.is_short_of_frames());
  held.clear();
  EXPECT_TRUE(reassembler.grant_credit());
  EXPECT_EQ(reassembler.ack(), (wire::Ack{kEpoch, {2}, {4}}));
}

TEST_F(ReassemblerTest, ANarrowerWindowGrantsNoCreditUntilEarlierCreditIsUsed) {
  ASSERT_EQ(reassembler.ack().credit_limit, FrameIndex{2});
  reassembler.set_window(1);
  EXPECT_EQ(reassembler.ack().credit_limit, FrameIndex{2});
  bring_frame(0);
  bring_frame(1);
  ASSERT_TRUE(reassembler.take());
  EXPECT_EQ(reassembler.ack().credit_limit, FrameIndex{2});
  ASSERT_TRUE(reassembler.take());
  EXPECT_EQ(reassembler.ack().credit_limit, FrameIndex{3});
  reassembler.set_window(2);
  EXPECT_TRUE(reassembler.grant_credit());
  EXPECT_EQ(reassembler.ack().credit_limit, FrameIndex{4});
}

TEST_F(ReassemblerTest, FillsTheMemoryThatWasJustGivenBackSoThatItStaysInTheCache) {
  Reassembler wide{{kSize, 4, 4}};
  wide.begin_epoch(kEpoch, {0});
  std::set<const std::uint8_t*> places;
  for (std::uint64_t index = 0; index < 20; ++index) {
    ASSERT_TRUE(wide.begin_stripe(0, stripe(index, 0, 3008)));
    wide.advance(0, 3008, {});
    const auto frame = wide.take();
    ASSERT_TRUE(frame);
    places.insert(frame->rgba().data());
  }
  EXPECT_LE(places.size(), 2U) << "of eight";
}

TEST_F(ReassemblerTest, DropsAStripeThatHasComeAlready) {
  bring_stripe(0, 0, 0, 1024);
  ASSERT_TRUE(reassembler.begin_stripe(1, stripe(0, 0, 1024)));
  EXPECT_TRUE(reassembler.room(1).empty());
  EXPECT_FALSE(reassembler.advance(1, 1024, {}));
}

TEST_F(ReassemblerTest, DropsAStripeOfAFrameThatWasTaken) {
  bring_frame(0);
  ASSERT_TRUE(reassembler.take());
  ASSERT_TRUE(reassembler.begin_stripe(1, stripe(0, 0, 1024)));
  EXPECT_TRUE(reassembler.room(1).empty());
}

TEST_F(ReassemblerTest, LetsASecondLinkTakeAStripeOverFromOneThatHasStuck) {
  ASSERT_TRUE(reassembler.begin_stripe(0, stripe(0, 0, 3008)));
  bring(0, 0, 0, 100);
  EXPECT_TRUE(bring_stripe(1, 0, 0, 3008));
  EXPECT_TRUE(reassembler.room(0).empty()) << "the frame may be out of our hands";
  EXPECT_FALSE(reassembler.advance(0, 2908, {}));
}

TEST_F(ReassemblerTest, ForgetsTheHalfOfAStripeThatALostLinkBrought) {
  ASSERT_TRUE(reassembler.begin_stripe(0, stripe(0, 0, 3008)));
  bring(0, 0, 0, 100);
  reassembler.lose_link(0);
  EXPECT_EQ(reassembler.frames_ready(), 0U);
  EXPECT_TRUE(bring_frame(0));
}

TEST_F(ReassemblerTest, NamesValueAndLimitOfAStripeThatCannotBeRight) {
  EXPECT_THAT(refusal(stripe(2, 0, 1024)), HasSubstr("frame 2, credit ends before 2"));
  EXPECT_THAT(refusal(stripe(0, 2048, 1024)),
              HasSubstr("from pixel 2048 to 3072 in a frame of 3008"));
  EXPECT_THAT(refusal(stripe(0, 4294966272, 1024)), HasSubstr("to 4294967296 in a frame of 3008"));
  EXPECT_THAT(refusal(stripe(0, 0, 0)), HasSubstr("0 pixels"));
  EXPECT_THAT(refusal(stripe(0, 0, 0xffffffff)), HasSubstr("not within 1 to"));
  EXPECT_THAT(refusal(stripe(0, 5, 1024)), HasSubstr("multiples of 1024"));
  EXPECT_THAT(refusal(stripe(0, 0, 1000)), HasSubstr("multiples of 1024"));
  EXPECT_THAT(refusal({kEpoch + 1, {0}, {}, 0, 1024}), HasSubstr("epoch 8 in epoch 7"));
}

TEST_F(ReassemblerTest, TakesWhatIsMissingFromStripesThatOverlap) {
  bring_stripe(0, 0, 0, 1024);
  ASSERT_TRUE(reassembler.begin_stripe(1, stripe(0, 1024, 1984)));
  bring(1, 0, 1024, 1000);
  EXPECT_TRUE(bring_stripe(0, 0, 0, 3008)) << "completes the frame before the other link does";
  EXPECT_TRUE(reassembler.room(1).empty());
  const auto frame = reassembler.take();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(testing::has_pattern(*frame, 0));
}

TEST_F(ReassemblerTest, BeginsANewEpochAndStillGivesOutWhatWasWholeOfTheOld) {
  bring_frame(0);
  bring_stripe(0, 1, 0, 1024);
  reassembler.begin_epoch(kEpoch + 1, {0});
  const auto old = reassembler.take();
  ASSERT_TRUE(old);
  EXPECT_EQ(old->stamp().epoch, kEpoch);
  EXPECT_FALSE(reassembler.take());
  ASSERT_TRUE(reassembler.begin_stripe(0, {kEpoch + 1, {0}, {}, 0, 3008}));
  EXPECT_TRUE(bring(0, 0, 0, 3008));
  EXPECT_EQ(reassembler.take()->stamp().epoch, kEpoch + 1);
}

TEST_F(ReassemblerTest, TellsASenderOfAnOldEpochThatItIsOver) {
  EXPECT_FALSE(reassembler.position_for(kEpoch - 1, {0}));
  EXPECT_TRUE(reassembler.position_for(kEpoch, {0}));
  EXPECT_EQ(*reassembler.position_for(kEpoch + 1, {9}), (wire::Ack{kEpoch + 1, {9}, {9}}));
}

TEST_F(ReassemblerTest, TakesASenderOfALesserEpochOnceItsOwnIsGivenUpButNoOtherAfterThat) {
  bring_frame(0);
  reassembler.give_up_epoch();
  EXPECT_EQ(*reassembler.position_for(kEpoch, {0}), (wire::Ack{kEpoch, {0}, {2}}))
      << "the same goes on";
  EXPECT_EQ(*reassembler.position_for(kEpoch - 1, {0}), (wire::Ack{kEpoch - 1, {0}, {0}}));
  reassembler.begin_epoch(kEpoch - 1, {0});
  EXPECT_EQ(reassembler.take()->stamp().epoch, kEpoch);
  ASSERT_TRUE(reassembler.begin_stripe(0, {kEpoch - 1, {0}, {}, 0, 3008}));
  EXPECT_TRUE(bring(0, 0, 0, 3008));
  EXPECT_EQ(reassembler.take()->stamp().epoch, kEpoch - 1);
  EXPECT_FALSE(reassembler.position_for(kEpoch - 2, {0}));
}

TEST_F(ReassemblerTest, CountsFramesThatCanNeverComeAsLost) {
  bring_frame(0);
  reassembler.begin_epoch(kEpoch, {5});
  EXPECT_EQ(reassembler.frames_lost(), 4U);
  EXPECT_EQ(reassembler.take()->stamp().index.value, 0U);
  EXPECT_EQ(reassembler.ack().released.value, 5U);
}

}  // namespace
}  // namespace submix::stream
