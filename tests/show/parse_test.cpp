// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/parse.hpp"

#include "tests/show/problems_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::show {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kGood = R"([show]
name = "duo"
size = [640, 480]
rate = "30000/1001"
[[node]]
name = "a"
[[submix]]
name = "left"
node = "a"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "x.mp4", loop = true, speed = 2, in = 0.5, tint = [1, 0.5, 0] }
[[submix.slot]]
name = "out"
plugin = "stream-out"
bypass = true
[[submix]]
name = "mix"
[[submix.slot]]
name = "in"
plugin = "stream-in"
[[submix.slot]]
name = "twice"
plugin = "frei0r/blend"
inputs = ["in", "in"]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
policy = "hold"
pause_budget_ms = 40
standby = "break.png"
links = [{ from = "10.0.0.1", to = "10.0.0.2" }]
congestion = "reno"
pixels = "rgba"
checksum = "xxh3"
encrypt = false
local = "off"
)";

std::string with(const std::string& line, const std::string& replacement) {
  auto text = kGood;
  const auto at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), replacement);
}

TEST(Parse, TakesNoEmptyPolicyForOneThatWaits) {
  const auto show = parse("[[stream]]\nname = \"a\"\npolicy = \"\"\n", "a.toml");
  ASSERT_FALSE(show);
  EXPECT_NE(to_string(show.error()).find("policy \"\" is not known"), std::string::npos)
      << to_string(show.error());
}

TEST(Parse, ReadsEveryKey) {
  const auto show = parse(kGood, "show.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(show->name, "duo");
  EXPECT_EQ(show->size, (Size{640, 480}));
  EXPECT_EQ(show->rate, (FrameRate{30000, 1001}));
  EXPECT_EQ(show->nodes, (std::vector<Node>{{"a", ""}}));
  const auto* clip = show->find_slot({"left", "clip"});
  ASSERT_NE(clip, nullptr);
  EXPECT_EQ(clip->parameters, (Parameters{{"file", "x.mp4"},
                                          {"loop", true},
                                          {"speed", 2.0},
                                          {"in", 0.5},
                                          {"tint", std::vector<double>{1.0, 0.5, 0.0}}}));
  EXPECT_TRUE(show->find_slot({"left", "out"})->is_bypassed);
  EXPECT_EQ(show->find_submix("mix")->node, "");
  EXPECT_EQ(show->find_slot({"mix", "twice"})->inputs, (std::vector<std::string>{"in", "in"}));
  ASSERT_EQ(show->streams.size(), 1U);
  EXPECT_EQ(show->streams[0].policy, InputPolicy::hold);
  EXPECT_EQ(show->streams[0].pause_budget, std::chrono::milliseconds(40));
  EXPECT_EQ(show->streams[0].standby, "break.png");
  EXPECT_EQ(show->streams[0].routes, (std::vector<LinkRoute>{{"10.0.0.1", "10.0.0.2"}}));
  EXPECT_EQ(show->streams[0].link_count, 1);
  EXPECT_EQ(show->streams[0].congestion, "reno");
  EXPECT_EQ(show->streams[0].pixels, PixelFormat::rgba);
  EXPECT_EQ(show->streams[0].checksum, Checksum::xxh3);
  EXPECT_FALSE(show->streams[0].is_encrypted);
  EXPECT_FALSE(show->streams[0].is_local_allowed);
}

TEST(Parse, TakesTelevisionsRatesAsPeopleWriteThem) {
  EXPECT_EQ(parse(with("\"30000/1001\"", "59.94"), "")->rate, (FrameRate{60000, 1001}));
  EXPECT_EQ(parse(with("\"30000/1001\"", "\"23.976\""), "")->rate, (FrameRate{24000, 1001}));
  EXPECT_FALSE(parse(with("\"30000/1001\"", "59.5"), ""));
}

TEST(Parse, TakesTheDelayAsFramesOrAsTheLeast) {
  const auto delay = [](const std::string& value) {
    return parse(with("rate =", "delay = " + value + "\nrate ="), "");
  };
  EXPECT_EQ(delay("4")->delay_frames, 4);
  EXPECT_EQ(delay("\"least\"")->delay_frames, 0);
  EXPECT_FALSE(delay("\"most\""));
  EXPECT_FALSE(delay("2.5"));
}

TEST(Parse, ReadsWhoListensForTheShow) {
  const auto sound = [](const std::string& value) {
    return parse(with("rate =", "sound = " + value + "\nrate ="), "");
  };
  const auto read = sound("{ node = \"a\", device = \"hw:1,0\" }");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->sound, (SoundInput{"a", "hw:1,0"}));
  EXPECT_FALSE(sound("{ device = \"hw:1,0\" }"));
  EXPECT_FALSE(sound("\"a\""));
  EXPECT_FALSE(sound("{ node = \"a\", gain = 3 }"));
}

TEST(Parse, TakesAWholeNumberOrATextAsRate) {
  EXPECT_EQ(parse(with("\"30000/1001\"", "25"), "")->rate, (FrameRate{25, 1}));
  EXPECT_EQ(parse(with("\"30000/1001\"", "\"25\""), "")->rate, (FrameRate{25, 1}));
}

TEST(Parse, NamesFileLineAndNearestKnownKey) {
  EXPECT_EQ(problems_of(with("bypass = true", "bypas = true")),
            "show.toml:17: submix \"left\", slot \"out\": unknown key \"bypas\" (did you mean "
            "\"bypass\"?)");
  EXPECT_THAT(problems_of(with("[[node]]", "[[nodes]]")),
              HasSubstr("show.toml:5: file: unknown key \"nodes\""));
}

TEST(Parse, EncryptsAStreamUnlessItSaysOtherwise) {
  EXPECT_TRUE(parse(with("encrypt = false\n", ""), "")->streams[0].is_encrypted);
  EXPECT_TRUE(parse(with("encrypt = false", "encrypt = true"), "")->streams[0].is_encrypted);
  EXPECT_THAT(problems_of(with("encrypt = false", "encrypt = \"off\"")),
              HasSubstr("stream \"left\": encrypt"));
}

TEST(Parse, NamesWhatALocalStreamCanBe) {
  EXPECT_TRUE(parse(with("local = \"off\"", "local = \"auto\""), "")->streams[0].is_local_allowed);
  EXPECT_THAT(
      problems_of(with("local = \"off\"", "local = \"of\"")),
      HasSubstr("local \"of\" is not known (did you mean \"off\"?); use \"auto\" or \"off\""));
  EXPECT_EQ(parse(with("checksum = \"xxh3\"", "checksum = \"off\""), "")->streams[0].checksum,
            Checksum::none);
  EXPECT_THAT(
      problems_of(with("checksum = \"xxh3\"", "checksum = \"xx3\"")),
      HasSubstr("checksum \"xx3\" is not known (did you mean \"xxh3\"?); use \"off\" or \"xxh3\""));
  EXPECT_THAT(problems_of(with("checksum = \"xxh3\"", "checksum = true")),
              HasSubstr("stream \"left\": checksum"));
}

TEST(Parse, ListsAllProblemsInTheOrderOfTheFile) {
  auto text = with("size = [640, 480]", "size = [0, 100000]");
  text.replace(text.find("\"30000/1001\""), 12, "\"fast\"");
  text.replace(text.find("links = [{"), 5, "lnks");
  const auto parsed = parse(text, "show.toml");
  ASSERT_FALSE(parsed);
  const auto& problems = parsed.error();
  ASSERT_EQ(problems.size(), 3U) << to_string(problems);
  EXPECT_THAT(to_string(problems[0]),
              AllOf(HasSubstr("show.toml:3: "), HasSubstr("[0, 100000]"), HasSubstr("8192")));
  EXPECT_THAT(to_string(problems[1]), AllOf(HasSubstr("show.toml:4: "), HasSubstr("\"fast\"")));
  EXPECT_THAT(to_string(problems[2]),
              AllOf(HasSubstr("show.toml:34: "), HasSubstr("did you mean \"links\"")));
}

TEST(Parse, SaysTheTypeItWants) {
  EXPECT_THAT(problems_of(with("[640, 480]", "\"640x480\"")),
              HasSubstr("size is '640x480', but must be two whole"));
  EXPECT_THAT(problems_of(with("[640, 480]", "[640]")), HasSubstr("two whole numbers"));
  EXPECT_THAT(problems_of(with("bypass = true", "bypass = 1")),
              HasSubstr("bypass is 1, but must be true or false"));
  EXPECT_THAT(problems_of(with("[\"in\", \"in\"]", "\"in\"")), HasSubstr("must be texts in a row"));
  EXPECT_THAT(problems_of(with("[[node]]", "[node]")),
              HasSubstr("write [[node]] with two brackets"));
  EXPECT_THAT(problems_of(with("loop = true", "loop = 1979-05-27")),
              HasSubstr("loop is 1979-05-27, but must be"));
  EXPECT_THAT(
      problems_of(with("links = [{ from = \"10.0.0.1\", to = \"10.0.0.2\" }]", "links = \"two\"")),
      HasSubstr("links is 'two'"));
}

TEST(Parse, SaysWhatIsMissing) {
  EXPECT_THAT(problems_of(""), HasSubstr("show.toml:1: file: the table [show] is missing"));
  EXPECT_EQ(
      problems_of(with("plugin = \"clip\"\n", "")),
      "show.toml:10: submix \"left\", slot \"clip\": plugin is missing; write plugin = \"…\"");
}

TEST(Parse, RefusesNumbersThatDoNotFit) {
  EXPECT_THAT(problems_of(with("[640, 480]", "[99999999999, 480]")), HasSubstr("is not within"));
  EXPECT_THAT(problems_of(with("pause_budget_ms = 40", "pause_budget_ms = -1")),
              HasSubstr("pause_budget_ms -1"));
  EXPECT_THAT(problems_of(with("speed = 2", "speed = nan")),
              HasSubstr("parameter \"speed\": nan is not a number"));
}

TEST(Parse, ReportsABreachOfTomlWithItsLine) {
  EXPECT_THAT(problems_of("[show]\nname = duo\n"), HasSubstr("show.toml:2: not TOML: "));
  EXPECT_THAT(problems_of("[show]\nname = \"\xff\"\n"), HasSubstr("show.toml:2: not TOML: "));
}

TEST(Parse, SaysWhereAPluginRuns) {
  const auto hosted = [](const std::string& host) {
    return with("plugin = \"frei0r/blend\"", "plugin = \"frei0r/blend\"\nhost = \"" + host + "\"");
  };
  const auto hosting_of = [](const std::string& text) {
    return parse(text, "show.toml")->find_slot({"mix", "twice"})->hosting;
  };
  EXPECT_EQ(hosting_of(kGood), Hosting::own_process);
  EXPECT_EQ(hosting_of(hosted("own-process")), Hosting::own_process);
  EXPECT_EQ(hosting_of(hosted("in-process")), Hosting::in_process);
  EXPECT_THAT(problems_of(hosted("own-proces")),
              HasSubstr("host \"own-proces\" is not known (did you mean \"own-process\"?)"));
}

TEST(Parse, RefusesToHostABuiltIn) {
  EXPECT_THAT(problems_of(with("bypass = true", "host = \"own-process\"")),
              HasSubstr("only third-party plugins (frei0r/, isf/…) are hosted; leave it out"));
}

TEST(Parse, LocatesProblemsFoundLater) {
  Problems problems{
      {"submix[1].slot[1].plugin", "a"}, {"stream[0].links[0].from", "b"}, {"nowhere", "c"}};
  locate(problems, kGood, "show.toml");
  EXPECT_EQ(to_string(problems), "show.toml:25: a\nshow.toml:34: b\nshow.toml: c");
  locate(problems, "not toml", "other");
}

TEST(Parse, SurvivesATextCutAnywhere) {
  for (std::size_t bytes = 0; bytes < kGood.size(); ++bytes) {
    const auto show = parse(std::string_view(kGood).substr(0, bytes), "cut");
    EXPECT_TRUE(show.has_value() || !show.error().empty());
  }
}

}  // namespace
}  // namespace submix::show
