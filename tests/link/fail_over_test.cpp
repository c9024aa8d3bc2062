// SPDX-License-Identifier: GPL-3.0-or-later
// How a stream handles faults. Time is simulated, so the deadlines hold on a busy machine, too.
#include "tests/link/simulated_cluster.hpp"

#include "common/link/timing.hpp"

#include <gtest/gtest.h>

#include <random>

namespace submix::link {
namespace {

using namespace std::chrono_literals;
using testing::Cable;
using testing::SimulatedCluster;

constexpr auto kFrame = 17ms;  // a little more than a frame at 60 fps

TEST(FailOver, SendsOverAllCables) {
  SimulatedCluster cluster({Cable{}, Cable{}});
  cluster.run_for(10s);
  EXPECT_NEAR(static_cast<double>(cluster.frames_taken()), 600, 5);
  EXPECT_LE(cluster.longest_gap(), 2 * kFrame);
  EXPECT_EQ(cluster.cable(0).connects, 1U);
  EXPECT_EQ(cluster.cable(1).connects, 1U);
}

TEST(FailOver, ACableThatIsCutWithoutASignCostsAQuarterOfASecond) {
  for (const auto phase : {0ms, 7ms, 23ms, 48ms}) {
    SimulatedCluster cluster({Cable{}, Cable{}});
    cluster.run_for(2s + phase);
    cluster.forget_gaps();
    cluster.cut(0);
    cluster.run_for(200ms);
    EXPECT_TRUE(cluster.events.has(
        "link 0: 198.18.0.1 to 198.18.0.2 (mix): no sign of life; 1 of 2 links left"))
        << cluster.events.all();
    cluster.run_for(3s);
    EXPECT_LE(cluster.longest_gap(), 250ms);
    EXPECT_NEAR(static_cast<double>(cluster.frames_taken()), 5.2 * 60, 20);
  }
}

// A stall of the peer is then more likely than a cut network, and no other link could take over.
TEST(FailOver, ALinkWithoutSiblingsIsGivenMoreTime) {
  SimulatedCluster cluster({Cable{}});
  cluster.run_for(2s);
  cluster.cut(0);
  cluster.run_for(700ms);
  EXPECT_EQ(cluster.link(0).state, telemetry::LinkState::open);
  cluster.run_for(500ms);
  EXPECT_EQ(cluster.link(0).state, telemetry::LinkState::connecting);
  cluster.mend(0);
  cluster.forget_gaps();
  cluster.run_for(3s);
  EXPECT_LE(cluster.longest_gap(), 1s);
  EXPECT_GT(cluster.frames_taken(), 4U * 60);
}

TEST(FailOver, AMendedCableCarriesAgainWithinASecond) {
  SimulatedCluster cluster({Cable{}, Cable{}});
  cluster.run_for(1s);
  cluster.cut(0);
  cluster.run_for(5s);
  const auto before = cluster.link(0).bytes;
  cluster.mend(0);
  cluster.run_for(3s);
  EXPECT_EQ(cluster.link(0).state, telemetry::LinkState::open);
  EXPECT_GT(cluster.link(0).bytes,
            before + static_cast<std::uint64_t>(SimulatedCluster::kFrameBytes));
  EXPECT_TRUE(cluster.events.has("link 0: connected")) << cluster.events.all();
}

// At 20 MB/s, 60 frames of 147 KB need 0.44 of one cable. At 1 % of this rate a cable is worse than
// none.
TEST(FailOver, ACableThatFallsToAHundredthIsLeftOut) {
  SimulatedCluster cluster({Cable{}, Cable{}});
  cluster.run_for(2s);
  cluster.cable(0).bytes_per_second /= 100;
  cluster.run_for(500ms);
  cluster.forget_gaps();
  const auto before = cluster.frames_taken();
  cluster.run_for(5s);
  EXPECT_GE(static_cast<double>(cluster.frames_taken() - before), 0.95 * 5 * 60);
  EXPECT_LE(cluster.longest_gap(), 3 * kFrame);
}

// One attempt each 100 ms for a second, so that a person who starts the other node does not wait.
// Then the pauses grow to two seconds and up to half as long again.
TEST(FailOver, TriesAgainAtOnceThenLessAndLessOften) {
  SimulatedCluster cluster({Cable{}});
  cluster.run_for(1s);
  cluster.kill_receiver();
  cluster.run_for(3s);
  const auto quick = cluster.cable(0).connects;
  EXPECT_GE(quick, 6U);
  EXPECT_LE(quick, 20U);
  cluster.run_for(60s);
  const auto slow = cluster.cable(0).connects - quick;
  EXPECT_GE(slow, 18U);
  EXPECT_LE(slow, 40U);
  cluster.start_receiver();
  cluster.run_for(4s);
  EXPECT_EQ(cluster.link(0).state, telemetry::LinkState::open);
}

TEST(FailOver, ARestartedReceiverGoesOnWithWhatTheSenderHasKept) {
  SimulatedCluster cluster({Cable{}, Cable{}});
  cluster.run_for(2s);
  const auto kept = cluster.sender().telemetry().frames;
  cluster.kill_receiver();
  cluster.run_for(200ms);
  cluster.start_receiver();
  cluster.run_for(2s);  // the cluster checks the frames itself
  EXPECT_GT(cluster.sender().telemetry().frames, kept + 15);
  EXPECT_EQ(cluster.first_taken(), kept);
}

TEST(FailOver, ASenderWhoseReceiverTakesItIsNotSupersededAnyMore) {
  SimulatedCluster cluster({Cable{}});
  cluster.run_for(2s);
  cluster.sender().supersede();
  cluster.kill_receiver();
  cluster.run_for(200ms);
  EXPECT_TRUE(cluster.sender().is_superseded());
  cluster.start_receiver();
  cluster.run_for(2s);
  EXPECT_FALSE(cluster.sender().is_superseded());
}

TEST(FailOver, APausedReceiverHoldsItsSenderAndNoLinkIsLost) {
  SimulatedCluster cluster({Cable{}, Cable{}});
  cluster.run_for(2s);
  cluster.take_every(1h);
  cluster.run_for(1min);
  const auto offered = cluster.frames_offered();
  EXPECT_LE(offered, cluster.frames_taken() + 4);
  EXPECT_EQ(cluster.cable(0).connects + cluster.cable(1).connects, 2U);
  EXPECT_EQ(cluster.events.all(), "");
}

// Cables are cut, mended and slowed at random; the receiver dies and comes back. The cluster checks
// that all frames which come out are right and in order. Once everything works again, the stream
// runs at full speed.
class Storm : public ::testing::TestWithParam<unsigned> {};

TEST_P(Storm, PassesWithoutALostOrWrongFrame) {
  std::mt19937 random(GetParam());
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  SimulatedCluster cluster({Cable{}, Cable{10e6, 1ms}, Cable{2e6, 300us}}, 60);
  for (int round = 0; round < 100; ++round) {
    const auto index = below(3);
    auto& cable = cluster.cable(index);
    switch (below(6)) {
      case 0:
      case 1:
        cluster.cut(index);
        break;
      case 2:
      case 3:
        cluster.mend(index);
        break;
      case 4:
        cable.bytes_per_second = below(2) == 0 ? 200e3 : 20e6;
        break;
      default:
        if (below(8) > 0) break;
        cluster.kill_receiver();
        cluster.run_for(std::chrono::milliseconds(below(500)));
        cluster.start_receiver();
    }
    cluster.run_for(std::chrono::milliseconds(below(400)));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    cluster.mend(i);
    cluster.cable(i).bytes_per_second = 20e6;
  }
  cluster.run_for(5s);
  cluster.forget_gaps();
  const auto before = cluster.frames_taken();
  cluster.run_for(2s);
  EXPECT_GE(cluster.frames_taken() - before, 117U);
  EXPECT_LE(cluster.longest_gap(), 3 * kFrame);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Storm, ::testing::Range(1U, 25U));

}  // namespace
}  // namespace submix::link
