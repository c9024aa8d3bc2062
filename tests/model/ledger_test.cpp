// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

LinkView open_link() {
  LinkView link;
  link.state = telemetry::LinkState::open;
  return link;
}

/// 100 frames taken: 7 skipped, 93 numbered. Of these, 88 are acknowledged, 1 is unsent, and 3 are
/// complete at the receiver.
class OneStream : public ::testing::Test {
 protected:
  OneStream() {
    stream_.name = "left";
    auto& sender = stream_.sender;
    sender.node = "rack1";
    sender.is_current = sender.is_still = true;
    sender.epoch = 9;
    sender.frames = 88;
    sender.frames_produced = 100;
    sender.frames_queued = 5;
    sender.frames_unsent = 2;
    sender.epochs = {{.epoch = 9,
                      .next_frame = 93,
                      .frames_acknowledged = 88,
                      .frames_skipped = 7,
                      .frames_skipped_detached = 3}};
    sender.links = {open_link()};
    auto& receiver = stream_.receiver;
    receiver.node = "rack2";
    receiver.is_current = receiver.is_still = true;
    receiver.epoch = 9;
    receiver.frames = 88;
    receiver.frames_queued = 3;
    receiver.frames_duplicated = 4;
    receiver.epochs = {{.epoch = 9, .next_frame = 88}};
  }

  LedgerEdge edge() {
    ClusterView view;
    view.streams = {stream_};
    const auto ledger = make_ledger(view);
    EXPECT_EQ(is_balanced(ledger),
              ledger[0].balance == Balance::exact || ledger[0].balance == Balance::bounded);
    return ledger.at(0);
  }
  static void expect_sum(const LedgerEdge& edge) {
    EXPECT_EQ(edge.produced, edge.delivered + edge.dropped() + edge.in_flight()) << edge.remark;
  }

  StreamView stream_;
};

TEST_F(OneStream, IsExactWhereNothingMoves) {
  const auto left = edge();
  EXPECT_EQ(left.balance, Balance::exact) << left.remark;
  EXPECT_EQ(left.produced, 100U);
  EXPECT_EQ(left.delivered, 88U);
  EXPECT_EQ(left.skipped_latest, 4U);
  EXPECT_EQ(left.skipped_detached, 3U);
  EXPECT_EQ(left.queued, 2U);
  EXPECT_EQ(left.on_the_way, 0U);
  EXPECT_EQ(left.waiting, 3U);
  EXPECT_EQ(left.replaced, 4U);
  EXPECT_THAT(left.remark, IsEmpty());
  expect_sum(left);
}

TEST_F(OneStream, IsOffWhenTheReceiversPatchMissesOne) {
  --stream_.receiver.frames;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark, HasSubstr("node rack2 released 88 frames, and accounts for 87"));
}

TEST_F(OneStream, IsOffWhenTheSenderMissesOne) {
  ++stream_.sender.frames_produced;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark, HasSubstr("node rack1 took 101 frames, and accounts for 100"));
}

TEST_F(OneStream, IsOffWhenOneVanishedBetweenTheEnds) {
  --stream_.receiver.frames_queued;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark, HasSubstr("nothing moves"));
}

TEST_F(OneStream, IsUnknownRatherThanOffWhereADeadReceiverHadAcknowledgedMoreThanItsLastWordsSay) {
  stream_.receiver.is_current = stream_.receiver.is_still = false;
  stream_.sender.earlier = stream_.sender.epochs[0];
  stream_.sender.earlier->frames_acknowledged = 90;
  EXPECT_EQ(edge().balance, Balance::unknown) << edge().remark;
}

TEST_F(OneStream, MayHaveFramesOnTheWayWhileALinkHoldsThem) {
  --stream_.receiver.frames_queued;
  stream_.sender.links[0].queue_bytes = 1;
  EXPECT_EQ(edge().balance, Balance::exact);
  EXPECT_EQ(edge().on_the_way, 1U);
  expect_sum(edge());
}

TEST_F(OneStream, IsBoundedWhileFramesFlow) {
  stream_.sender.is_still = stream_.receiver.is_still = false;
  stream_.sender.earlier = stream_.sender.epochs[0];
  stream_.sender.earlier->frames_acknowledged = 60;
  stream_.receiver.earlier = stream_.receiver.epochs[0];
  stream_.receiver.earlier->next_frame = 60;
  // The receiver was read later than the sender, and has more frames than the sender had sent.
  stream_.receiver.epochs[0].next_frame = stream_.receiver.frames = 95;
  EXPECT_EQ(edge().balance, Balance::bounded) << edge().remark;
  expect_sum(edge());
}

TEST_F(OneStream, IsOffWhenTheReceiverHasLessThanWasAcknowledgedBefore) {
  stream_.sender.is_still = stream_.receiver.is_still = false;
  stream_.sender.earlier = stream_.sender.epochs[0];
  stream_.receiver.epochs[0].next_frame = stream_.receiver.frames = 87;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark,
              HasSubstr("88 frames had been acknowledged to its sender, 87 were released"));
}

TEST_F(OneStream, IsOffWhenTheReceiverHadMoreThanWasSent) {
  stream_.sender.is_still = stream_.receiver.is_still = false;
  stream_.receiver.earlier = stream_.receiver.epochs[0];
  stream_.receiver.earlier->next_frame = 94;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark, HasSubstr("94 frames had been released, its sender has numbered 93"));
}

TEST_F(OneStream, CountsWhatWasLostWithAnEpochOfAFormerNode) {
  stream_.former_senders = {{.epoch = 5, .next_frame = 50, .frames_acknowledged = 46}};
  stream_.receiver.epochs.insert(stream_.receiver.epochs.begin(), {.epoch = 5, .next_frame = 48});
  stream_.receiver.frames += 47;  // one of them still waits
  stream_.receiver.frames_queued += 1;
  stream_.receiver.frames_left_over = 1;
  const auto left = edge();
  EXPECT_EQ(left.balance, Balance::exact) << left.remark;
  EXPECT_EQ(left.produced, 150U);
  EXPECT_EQ(left.lost_with_epoch, 2U);
  EXPECT_EQ(left.waiting, 4U);
  expect_sum(left);
}

TEST_F(OneStream, IsOffWhenAnEpochEndedWithFewerThanWereAcknowledged) {
  stream_.former_senders = {{.epoch = 5, .next_frame = 50, .frames_acknowledged = 49}};
  stream_.receiver.epochs.insert(stream_.receiver.epochs.begin(), {.epoch = 5, .next_frame = 48});
  stream_.receiver.frames += 48;
  EXPECT_EQ(edge().balance, Balance::off);
  EXPECT_THAT(edge().remark,
              HasSubstr("epoch 5: 48 frames arrived, 49 were acknowledged and 50 sent"));
}

TEST_F(OneStream, RemarksFramesWhoseSenderNobodyTellsOf) {
  stream_.receiver.epochs.insert(stream_.receiver.epochs.begin(), {.epoch = 5, .next_frame = 10});
  stream_.receiver.frames += 10;
  EXPECT_EQ(edge().balance, Balance::exact);
  EXPECT_EQ(edge().produced, 110U);
  EXPECT_THAT(edge().remark,
              HasSubstr("10 frames came from senders that no node reports any more"));
  expect_sum(edge());
}

TEST_F(OneStream, CountsEpochsOnceThatTheReceiverHasOnlyASumOf) {
  stream_.former_senders = {{.epoch = 5, .next_frame = 10, .frames_acknowledged = 10}};
  stream_.receiver.frames_forgotten = 10;
  stream_.receiver.frames += 10;
  EXPECT_EQ(edge().balance, Balance::exact);
  EXPECT_EQ(edge().produced, 110U);
  expect_sum(edge());
}

TEST_F(OneStream, IsUnknownWhileItIsHandedOver) {
  stream_.is_handing_over = true;
  stream_.former_senders = {{.epoch = 5, .next_frame = 10, .frames_acknowledged = 20}};
  EXPECT_EQ(edge().balance, Balance::unknown);
}

TEST_F(OneStream, IsUnknownWhenAnEndSaysNothing) {
  stream_.receiver.is_current = false;
  EXPECT_EQ(edge().balance, Balance::unknown);
  EXPECT_THAT(edge().remark, HasSubstr("node rack2 is silent now"));
}

TEST(Ledger, CountsTheQueuesOfAPatch) {
  ClusterView view;
  SubmixView submix;
  submix.name = "left";
  StageView stage;
  stage.slot = "glow";
  stage.queues = {{"clip", 2, 3, {}, 40, 38}};
  submix.stages = {stage};
  view.submixes = {submix};
  EXPECT_TRUE(is_balanced(make_ledger(view)));
  EXPECT_EQ(make_ledger(view)[0].name, "left.clip to left.glow");
  view.submixes[0].stages[0].queues[0].frames_taken = 37;
  EXPECT_FALSE(is_balanced(make_ledger(view)));
  EXPECT_THAT(make_ledger(view)[0].remark,
              HasSubstr("40 frames were put into its queue, 37 taken out, 2 are inside"));
}

TEST(Ledger, IsNotBalancedWhereANodeTellsNothingOfItsQueues) {
  ClusterView view;
  view.submixes.resize(3);
  view.submixes[0].name = "left";
  view.submixes[0].node = "rack1";
  view.submixes[0].state = SubmixState::waiting;
  view.submixes[1].state = SubmixState::unassigned;
  view.submixes[2].state = SubmixState::failed;
  const auto ledger = make_ledger(view);
  ASSERT_EQ(ledger.size(), 1U);
  EXPECT_EQ(ledger[0].name, "left");
  EXPECT_EQ(ledger[0].balance, Balance::unknown);
  EXPECT_THAT(ledger[0].remark, HasSubstr("node rack1 does not report its queues"));
  EXPECT_FALSE(is_balanced(ledger));
}

TEST(Ledger, CountsWhatWasInAQueueThatEndedAndWhatHadAnotherPicture) {
  ClusterView view;
  SubmixView submix;
  submix.name = "mix";
  StageView clip{.slot = "clip",
                 .plugin = "p",
                 .frames = 0,
                 .fps = 0,
                 .shares = {},
                 .queues = {},
                 .counters = {}};
  clip.counters = {{"crashes", 1}, {"held", 2}};
  clip.frames_passed_by = 3;
  auto glow = clip;
  glow.slot = "glow";
  glow.queues = {{"clip", 2, 3, {}, 40, 36, 2}};
  submix.stages = {clip, glow};
  view.submixes = {submix};
  const auto ledger = make_ledger(view);
  ASSERT_EQ(ledger.size(), 1U);
  EXPECT_EQ(ledger[0].balance, Balance::exact) << ledger[0].remark;
  EXPECT_EQ(ledger[0].dropped(), 2U);
  EXPECT_EQ(ledger[0].replaced, 5U);
}

}  // namespace
}  // namespace submix::model
