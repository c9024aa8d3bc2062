// SPDX-License-Identifier: GPL-3.0-or-later
// For each kind of verdict: the way back from the output, and the measurements behind the verdict.
#include "controller/cli/status_json.hpp"

#include "tests/model/slow_show.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::model::sample {
namespace {

using Json = nlohmann::json;

class BottleneckJson : public SlowShow {
 protected:
  [[nodiscard]] Json json() const {
    return Json::parse(cli::bottleneck_json(view_, find_bottleneck(view_), "wait"));
  }
  /// The last box marked as the limit.
  [[nodiscard]] static Json limit_of(const Json& json) {
    Json limit;
    for (const auto& box : json["boxes"]) {
      if (box["is_limit"] == true) limit = box;
    }
    return limit;
  }
};

TEST_F(BottleneckJson, HasOfALinkItsRateItsShareAndWhatItsCableDoes) {
  let_links_be_full();
  auto& slow = links()[1];
  slow = link(1, 5, 0);
  slow.share = 0.1;
  slow.history = {40, 5};
  slow.round_trip = std::chrono::milliseconds(7);
  slow.segments_retransmitted = 12;
  const auto told = json();
  EXPECT_EQ(told["kind"], "link");
  EXPECT_EQ(told["path"], (Json{"mix.screen", "mix.fade", "mix.right", "stream right"}));
  EXPECT_EQ(limit_of(told)["kind"], "links");
  EXPECT_EQ(limit_of(told)["name"], "stream right");
  const auto& figures = told["figures"]["stream"]["links"][1];
  EXPECT_EQ(figures["mb_per_second"], 5);
  EXPECT_EQ(figures["capacity_mb_per_second"], 5);
  EXPECT_EQ(figures["best_mb_per_second"], 40);
  EXPECT_EQ(figures["share"], 0.1);
  EXPECT_EQ(figures["blocked"], 1);
  EXPECT_EQ(figures["round_trip_ms"], 7);
  EXPECT_EQ(figures["segments_retransmitted"], 12);
  EXPECT_EQ(told["figures"]["machine"]["node"], "right");
}

TEST_F(BottleneckJson, HasOfADelayHowLongFramesAreOnTheirWayAndHowManyMayBe) {
  let_links_be_full();
  for (auto& each : links()) {
    each.shares = {.sending = 0.1, .blocked = 0, .idle = 0.9};
    each.capacity_mb_per_second = 117;
  }
  auto& sender = view_.streams[1].sender;
  sender.latency.p50 = std::chrono::milliseconds(150);
  sender.frames_queued = 3;
  const auto told = json();
  EXPECT_EQ(told["kind"], "delay");
  EXPECT_EQ(told["path"].back(), "stream right");
  EXPECT_EQ(told["figures"]["stream"]["latency_ms_p50"], 150);
  EXPECT_EQ(told["figures"]["stream"]["sender"]["frames_queued"], 3);
  EXPECT_EQ(told["figures"]["stream"]["links"][0]["idle"], 0.9);
}

TEST_F(BottleneckJson, HasOfAMachineTheLoadOfEachCore) {
  let_slot_be_slow();
  right(1).shares = {.working = 0.3, .starved = 0, .blocked = 0.7};
  view_.nodes[1].host = "pc";
  view_.nodes[1].cpu_cores = 0.4;
  view_.nodes[1].core_shares = {1, 1, 0.9, 0.9};
  const auto told = json();
  EXPECT_EQ(told["kind"], "machine");
  EXPECT_EQ(told["path"].back(), "right.waves");
  const auto& machine = told["figures"]["machine"];
  EXPECT_EQ(machine["host"], "pc");
  EXPECT_EQ(machine["core_shares"], (Json{1.0, 1.0, 0.9, 0.9}));
  EXPECT_NEAR(machine["cores_used"], 3.8, 0.01);
  EXPECT_EQ(machine["cores_used_by_nodes"], 0.4);
}

TEST_F(BottleneckJson, HasOfASlotWhatItsFramesTake) {
  let_slot_be_slow();
  right(1).frame_time.p99 = std::chrono::milliseconds(51);
  const auto told = json();
  EXPECT_EQ(told["kind"], "slot");
  EXPECT_EQ(told["figures"]["slot"]["frame_ms_p99"], 51);
  EXPECT_EQ(limit_of(told)["name"], "right.waves");
}

TEST_F(BottleneckJson, HasOfAStandstillSinceWhenAndWhereFramesWait) {
  mix().fps = 0;
  mix().still_for = std::chrono::milliseconds(2500);
  for (auto& each : mix().stages)
    each.fps = 0;
  mix().stages[2].queues[0].size = 2;
  view_.streams[0].sender.frames_queued = 3;
  view_.nodes[1].health = Health::gone;
  view_.nodes[1].silence = std::chrono::seconds(6);
  const auto told = json();
  EXPECT_EQ(told["kind"], "standstill");
  EXPECT_EQ(told["still_s"], 2.5);
  EXPECT_EQ(told["path"].front(), "mix.screen");
  EXPECT_EQ(told["path"].back(), "right.out");
  const auto& standstill = told["figures"]["standstill"];
  EXPECT_EQ(standstill["causes"][0]["node"], "right");
  EXPECT_EQ(standstill["waiting"][0]["edge"], "mix.left to mix.fade");
  EXPECT_EQ(standstill["waiting"][0]["frames"], 2);
  EXPECT_EQ(standstill["waiting"][1]["edge"], "stream left");
  EXPECT_EQ(standstill["waiting"][1]["frames"], 3);
  EXPECT_EQ(told["figures"]["machine"]["health"], "gone");
  EXPECT_EQ(told["figures"]["machine"]["silent_s"], 6);
}

TEST_F(BottleneckJson, LeadsToASourceWhereNothingLimits) {
  mix().fps = 30;
  const auto told = json();
  EXPECT_EQ(told["kind"], "nothing");
  EXPECT_EQ(told["path"].back(), "right.clip");
}

}  // namespace
}  // namespace submix::model::sample
