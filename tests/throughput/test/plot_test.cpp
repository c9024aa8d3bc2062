// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/plot_command.hpp"

#include "tests/throughput/link_command.hpp"
#include "tests/throughput/load_command.hpp"
#include "tests/throughput/peers_command.hpp"
#include "tests/throughput/pixels_command.hpp"
#include "tests/throughput/run_json.hpp"

#include <gtest/gtest.h>

namespace submix::throughput {
namespace {

RunResult run_result() {
  RunResult result;
  RunFigures slow;
  slow.goodput_mb_s = 100;
  slow.links_alone_mb_s = {60, 70};
  RunFigures fast = slow;
  fast.goodput_mb_s = 120;
  result.rounds = {slow, fast};
  result.median = median_of(result.rounds);
  return result;
}

TEST(Plot, ShowsARunsLinksAndTheRangeOfItsRounds) {
  const auto chart = chart_of(to_json(RunOptions(), run_result()));
  ASSERT_TRUE(chart) << chart.error().message;
  const auto& rates = chart->panels.at(0).bars;
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(rates[0].value, 60);
  EXPECT_EQ(rates[2].value, 110);
  EXPECT_EQ(rates[2].low, 100);
  EXPECT_EQ(rates[2].high, 120);
  EXPECT_TRUE(rates[2].is_own);
}

TEST(Plot, ShowsEachPlaceOfPeersWithoutThoseSkippedAndFiguresUnknown) {
  PeersResult result{{{"loopback", true, 2}, {"1gbit + 1gbit", false, 2}}};
  for (auto& venue : result.venues)
    venue.peers = {{"plain"}, {"ffmpeg"}};
  for (auto& venue : result.venues) {
    venue.peers[0].rounds.resize(1);
    venue.peers[1].skipped = "the program ffmpeg is not installed";
  }
  result.venues[1].peers[0].rounds[0].transit_ms_p99 = 10;
  const auto chart = chart_of(to_json(PeersOptions(), result));
  ASSERT_TRUE(chart) << chart.error().message;
  ASSERT_EQ(chart->panels.size(), 5U) << "nobody's transit is known over loopback";
  EXPECT_EQ(chart->panels[0].title, "Over loopback: MB/s");
  EXPECT_EQ(chart->panels[2].title, "Over 1gbit + 1gbit: MB/s");
  EXPECT_EQ(chart->panels[0].bars.size(), 1U);
}

TEST(Plot, ShowsEachRateOfALoadByItself) {
  std::vector<LoadRow> rows(3);
  rows[0].kind = "none";
  rows[1] = {{60, 1}, "spin", 2, {}, {}};
  rows[1].pace.on_time = 0.5;
  rows[2] = {{60, 1}, "memory", 1, {}, {}};
  const auto chart = chart_of(to_json(LoadOptions(), rows));
  ASSERT_TRUE(chart) << chart.error().message;
  ASSERT_EQ(chart->panels.size(), 4U);
  EXPECT_EQ(chart->panels[2].bars.at(0).label, "spin, 2 cores");
  EXPECT_EQ(chart->panels[2].bars.at(0).value, 50);
}

TEST(Plot, ShowsPixelsAndLinks) {
  const PixelsResult pixels{
      "avx2", {{"memcpy", 1, 1, 1, 1}, {"submix", 1, 1, 1.1, 0.9}}, {{"memcpy", 1, 1, 1, 1}}};
  const auto of_pixels = chart_of(to_json(PixelsOptions(), pixels));
  ASSERT_TRUE(of_pixels) << of_pixels.error().message;
  EXPECT_EQ(of_pixels->panels.size(), 4U);
  EXPECT_EQ(of_pixels->panels[0].mark, 1.0);
  LinkResult link;
  link.host = "desk";
  link.pairs = {{"198.18.0.2", "198.18.0.1", 1500, 1000, {119, 0, 0}, "", {}},
                {"198.18.1.2", "198.18.1.1", 1500, 1000, {}, "unplugged", {}}};
  const auto of_link = chart_of(to_json(LinkOptions(), link));
  ASSERT_TRUE(of_link) << of_link.error().message;
  EXPECT_EQ(of_link->panels.at(0).bars.size(), 2U);
  EXPECT_EQ(of_link->panels.size(), 2U) << "its latency is not known";
  link.together.latency_ms_p50 = link.together.latency_ms_p99 = 30;
  EXPECT_EQ(chart_of(to_json(LinkOptions(), link))->panels.size(), 3U);
}

TEST(Plot, RefusesWhatIsNotOurs) {
  for (const auto* text :
       {"", "[]", "{}", "{\"command\":\"run\"}", "{\"command\":\"dance\"}", "{\"command\":7}"})
    EXPECT_FALSE(chart_of(text)) << text;
}

TEST(Svg, CutsABarThatIsManyTimesAllOthers) {
  const Bar one{"one", 80, {}, {}, false};
  const Chart chart{
      "", "", {{"panel", {one, {"two", 100, {}, {}, true}, {"three", 9000, {}, {}, true}}, {}}}};
  const auto svg = to_svg(chart);
  EXPECT_NE(svg.find("width=\"326.4\""), std::string::npos) << "80 of 125: " << svg;
  EXPECT_NE(svg.find("width=\"408.0\""), std::string::npos) << "100 of 125: " << svg;
  EXPECT_NE(svg.find(">9000<"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("width=\"36"), std::string::npos) << "beyond the picture: " << svg;
}

TEST(Svg, WritesALongLabelSmallerSoThatItFits) {
  const Bar longest{"2001:db8::1:12 to 2001:db8::1:1234:5678:9012:1234:5678:90", 1, {}, {}, true};
  const auto svg = to_svg({"", "", {{"panel", {longest, {"short", 1, {}, {}, true}}, {}}}});
  EXPECT_NE(svg.find("style=\"font-size:6.6px\">2001:"), std::string::npos) << svg;
  EXPECT_NE(svg.find("class=\"label\">short"), std::string::npos) << svg;
}

TEST(Svg, EscapesWordsAndScalesBarsToTheGreatest) {
  Chart chart{"a < b & \"c\"",
              "",
              {{"panel", {{"one", 50, {}, {}, false}, {"two", 100, {}, {}, true}}, {}}}};
  const auto svg = to_svg(chart);
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(svg.find("width=\"255.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("width=\"510.0\""), std::string::npos) << svg;
}

}  // namespace
}  // namespace submix::throughput
