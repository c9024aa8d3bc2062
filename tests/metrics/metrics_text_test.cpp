// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/metrics/metrics_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <sstream>
#include <string>

namespace submix::metrics {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

telemetry::NodeReading reading() {
  telemetry::NodeReading node;
  node.node = "left";
  node.cpu = 1500ms;
  telemetry::StageReading glow;
  glow.slot = "glow";
  glow.plugin = "frei0r/glow";
  glow.frames = 300;
  glow.working = 2s;
  glow.frame_time.p99 = 4ms;
  glow.queues.push_back({.from = "clip", .size = 2, .capacity = 4});
  node.submixes.push_back({.name = "left", .stages = {glow}, .frames = 299});
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.is_sender = true;
  telemetry::LinkReading link;
  link.index = 1;
  link.state = telemetry::LinkState::open;
  link.bytes = 123456789012345;
  stream.links.push_back(link);
  node.streams.push_back(stream);
  node.machine.cards.push_back({.name = "eth0", .bytes_received = 7, .bytes_sent = 8});
  return node;
}

std::string text_of(const telemetry::NodeReading& node, bool is_up = true) {
  return metrics_text(
      {{.reading = std::make_shared<telemetry::NodeReading>(node), .is_up = is_up}});
}

TEST(MetricsText, TellsFramesTimesAndBytesWithTheirLabels) {
  const auto text = text_of(reading());
  for (const auto* line :
       {"submix_node_up{node=\"left\"} 1\n",
        "submix_node_processor_seconds_total{node=\"left\"} 1.5\n",
        "submix_frames_total{node=\"left\",submix=\"left\"} 299\n",
        "submix_slot_frames_total{node=\"left\",submix=\"left\",slot=\"glow\",plugin=\"frei0r/"
        "glow\"} 300\n",
        "plugin=\"frei0r/glow\",state=\"working\"} 2\n",
        "plugin=\"frei0r/glow\",statistic=\"p99\"} 0.004",
        "submix_queue_frames{node=\"left\",submix=\"left\",slot=\"glow\",plugin=\"frei0r/"
        "glow\",input=\"1\",from=\"clip\"} 2\n",
        "submix_link_up{node=\"left\",stream=\"left\",end=\"sender\",link=\"1\"} 1\n",
        "submix_card_sent_bytes_total{node=\"left\",card=\"eth0\"} 8\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(MetricsText, HasOneHeadForTheValuesOfAName) {
  auto two = reading();
  two.submixes.push_back(two.submixes.front());
  two.submixes.back().name = "again";
  const auto text = text_of(two);
  const std::string head = "# TYPE submix_frames_total counter\n";
  const auto first = text.find(head);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find(head, first + 1), std::string::npos);
}

TEST(MetricsText, NamesNoSeriesTwice) {
  auto node = reading();
  auto& stage = node.submixes.front().stages.front();
  stage.queues.push_back(stage.queues.front());  // both inputs from one slot
  node.streams.push_back(node.streams.front());  // a former end beside the current one
  node.streams.back().is_former = true;
  std::istringstream lines(text_of(node));
  std::set<std::string> series;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
  EXPECT_GT(series.size(), 10U);
}

TEST(MetricsText, KeepsLargeCountersExact) {
  EXPECT_THAT(text_of(reading()), HasSubstr("link=\"1\"} 123456789012345\n"));
}

TEST(MetricsText, ASilentNodeHasNothingButItsAbsence) {
  const auto text = text_of(reading(), false);
  EXPECT_THAT(text, HasSubstr("submix_node_up{node=\"left\"} 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("submix_frames_total")));
}

TEST(MetricsText, NamesFromTheNetworkCannotForgeLines) {
  auto node = reading();
  node.node = "left\"} 1\nsubmix_forged 1";
  EXPECT_THAT(text_of(node), Not(HasSubstr("\nsubmix_forged")));
}

TEST(MetricsText, WithoutNodesItTellsTheVersionOnly) {
  const auto text = metrics_text({});
  EXPECT_THAT(text, HasSubstr("submix_build_info{version="));
  EXPECT_THAT(text, Not(HasSubstr("submix_node")));
}

}  // namespace
}  // namespace submix::metrics
