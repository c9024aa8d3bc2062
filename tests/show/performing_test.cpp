// SPDX-License-Identifier: GPL-3.0-or-later
// Knobs, presets, cues and fades in the document.
#include "common/show/performing.hpp"

#include "common/show/diff.hpp"
#include "common/show/edit.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "tests/show/problems_of.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

namespace submix::show {
namespace {

using ::testing::HasSubstr;

const std::string kPerforming = R"([show]
name = "duo"
next_cue = "drop"
[[node]]
name = "rack1"
[[submix]]
name = "left"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "x.mp4", speed = 2 }
[[submix.slot]]
name = "glow"
plugin = "frei0r/glow"
[submix.slot.fades]
Blur = { from = 0.25, frame = 900, frames = 60 }
[[knob]]
name = "energy"
value = 0.5
targets = [
  { parameter = "left.glow.Blur", from = 0.1, to = 0.9 },
  { parameter = "left.clip.speed", from = 1, to = 0 },
]
[[preset]]
name = "soft"
of = "left.glow"
parameters = { Blur = 0.3 }
[[preset]]
name = "dark"
of = "left"
parameters = { "glow.Blur" = 0, "clip.file" = "night.mp4" }
[preset.oscillators]
"clip.speed" = { waveform = "sine" }
[[cue]]
name = "break"
pause = true
changes = [{ preset = "soft" }]
[[cue]]
name = "drop"
text = "everything at once"
fade = 2.5
changes = [
  { parameter = "left.clip.file", value = "drop.mp4" },
  { knob = "energy", value = 1 },
  { bypass = "left.glow" },
  { bypass = "left.clip", value = false },
  { assign = "left", node = "rack1" },
  { assign = "left" },
]
)";

std::string performing_with(const std::string& part, const std::string& replacement) {
  auto text = kPerforming;
  text.replace(text.find(part), part.size(), replacement);
  return text;
}
TEST(Performing, IsReadAndWritten) {
  const auto show = parse(kPerforming, "show.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(show->find_slot({"left", "glow"})->fades, (Fades{{"Blur", {0.25, 900, 60}}}));
  ASSERT_EQ(show->knobs.size(), 1U);
  EXPECT_EQ(show->knobs[0],
            (Knob{"energy",
                  0.5,
                  {{{"left", "glow"}, "Blur", 0.1, 0.9}, {{"left", "clip"}, "speed", 1, 0}}}));
  ASSERT_EQ(show->presets.size(), 2U);
  EXPECT_EQ(show->presets[0], (Preset{"soft", {"left", "glow"}, {{"Blur", 0.3}}, {}}));
  EXPECT_EQ(show->presets[1].oscillators, (Oscillators{{"clip.speed", Oscillator{}}}));
  ASSERT_EQ(show->cues.size(), 2U);
  EXPECT_EQ(show->cues[0], (Cue{"break", "", 0, true, {CuePreset{"soft"}}}));
  EXPECT_EQ(show->cues[1].changes,
            (std::vector<CueChange>{CueParameter{{"left", "clip"}, "file", std::string("drop.mp4")},
                                    CueKnob{"energy", 1}, CueBypass{{"left", "glow"}, true},
                                    CueBypass{{"left", "clip"}, false}, CueAssign{"left", "rack1"},
                                    CueAssign{"left", ""}}));
  EXPECT_EQ(show->next_cue, "drop");
  EXPECT_EQ(parse(to_toml(*show), "again").value(), *show);
}

TEST(Performing, RefusesKnobsWithTheReason) {
  EXPECT_EQ(problems_of(performing_with("left.glow.Blur", "left.glwo.Blur")),
            "show.toml:21: knob \"energy\": targets[0]: slot \"left.glwo\" is not in the show (did "
            "you mean \"glow\"?); put it in again, or take this out");
  EXPECT_THAT(problems_of(performing_with("value = 0.5", "value = 1.5")),
              HasSubstr("value = 1.5 is not within 0 to 1"));
  EXPECT_THAT(problems_of(performing_with("left.clip.speed\"", "left.glow.Blur\"")),
              HasSubstr("\"left.glow.Blur\" is a target of this knob already"));
  EXPECT_THAT(problems_of(performing_with("left.glow.Blur", "left.glow")),
              HasSubstr("write submix.slot.parameter"));
  EXPECT_THAT(problems_of(performing_with("from = 0.1", "from = nan")), HasSubstr("not a number"));
  EXPECT_THAT(problems_of(performing_with("to = 0.9", "too = 0.9")),
              HasSubstr("unknown key \"too\""));
}

TEST(Performing, RefusesPresetsWithTheReason) {
  EXPECT_THAT(problems_of(performing_with("of = \"left\"", "of = \"lfet\"")),
              HasSubstr("submix \"lfet\" is not in the show"));
  EXPECT_THAT(problems_of(performing_with("of = \"left.glow\"", "of = \"left.glo\"")),
              HasSubstr("did you mean \"glow\""));
  EXPECT_THAT(problems_of(performing_with("\"glow.Blur\" = 0", "\"glo.Blur\" = 0")),
              HasSubstr("preset \"dark\": \"glo.Blur\" does not name a slot of submix \"left\""));
  EXPECT_THAT(problems_of(performing_with("Blur = 0.3", "Blur = nan")),
              HasSubstr("preset \"soft\": parameter \"Blur\""));
  EXPECT_THAT(problems_of(performing_with("name = \"soft\"", "name = \"dark\"")),
              HasSubstr("taken already"));
}

TEST(Performing, RefusesCuesWithTheReason) {
  EXPECT_THAT(problems_of(performing_with("preset = \"soft\"", "preset = \"softy\"")),
              HasSubstr("did you mean \"soft\""));
  EXPECT_THAT(problems_of(performing_with("knob = \"energy\"", "knob = \"force\"")),
              HasSubstr("knob \"force\" is not in"));
  EXPECT_THAT(problems_of(performing_with("value = 1 }", "value = 2 }")),
              HasSubstr("value = 2 is not within 0 to 1"));
  EXPECT_THAT(problems_of(performing_with("fade = 2.5", "fade = -1")),
              HasSubstr("fade = -1 is not within 0 to 3600"));
  EXPECT_THAT(problems_of(performing_with("node = \"rack1\" }", "node = \"rack9\" }")),
              HasSubstr("did you mean \"rack1\""));
  EXPECT_THAT(problems_of(performing_with("bypass = \"left.glow\"", "bypass = \"left\"")),
              HasSubstr("write \"submix.slot\""));
  EXPECT_THAT(problems_of(performing_with("{ preset = \"soft\" }", "{ }")),
              HasSubstr("cue \"break\", change 1: a change has one of the keys parameter, knob, "
                        "preset, bypass, assign"));
  EXPECT_THAT(problems_of(performing_with("{ preset = \"soft\" }",
                                          "{ preset = \"soft\", knob = \"energy\" }")),
              HasSubstr("a change has one of the keys"));
  EXPECT_THAT(problems_of(performing_with("value = \"drop.mp4\"", "fade = 1")),
              HasSubstr("value is missing"));
  EXPECT_THAT(problems_of(performing_with("next_cue = \"drop\"", "next_cue = \"dorp\"")),
              HasSubstr("did you mean \"drop\""));
}

TEST(Fade, GoesStraightFromOneNumberToTheOther) {
  const Fade fade{0.2, 100, 50};
  EXPECT_EQ(value_at(fade, 1.2, 0), 0.2);
  EXPECT_EQ(value_at(fade, 1.2, 100), 0.2);
  EXPECT_DOUBLE_EQ(value_at(fade, 1.2, 125), 0.7);
  EXPECT_EQ(value_at(fade, 1.2, 150), 1.2);
  EXPECT_EQ(value_at(fade, 1.2, ~std::uint64_t{0}), 1.2);
}

TEST(Fade, IsOverWhenTheParameterIsSetAgain) {
  auto show = parse(kPerforming, "show.toml").value();
  auto same = show;
  ASSERT_TRUE(set_parameter(show, {"left", "glow"}, "Blur", 0.5));
  EXPECT_TRUE(show.find_slot({"left", "glow"})->fades.empty());
  ASSERT_TRUE(clear_parameter(same, {"left", "glow"}, "Blur"));
  EXPECT_TRUE(same.find_slot({"left", "glow"})->fades.empty());
}

TEST(FollowOn, IsReadAndWrittenInBothUnits) {
  const auto beats = performing_with("pause = true", "follow = { beats = 16 }");
  const auto show = parse(beats, "show.toml").value();
  EXPECT_EQ(show.cues[0].follow, (FollowOn{16, FollowUnit::beats}));
  EXPECT_EQ(show.cues[1].follow, std::nullopt) << "off by default";
  EXPECT_EQ(parse(to_toml(show), "again").value(), show);
  const auto seconds = performing_with("pause = true", "follow = { seconds = 2.5 }");
  const auto other = parse(seconds, "show.toml").value();
  EXPECT_EQ(other.cues[0].follow, (FollowOn{2.5, FollowUnit::seconds}));
  EXPECT_EQ(parse(to_toml(other), "again").value(), other);
}

TEST(FollowOn, IsRefusedOutsideItsRange) {
  for (const char* wrong : {"0.4", "3601", "nan", "-1"}) {
    EXPECT_THAT(problems_of(performing_with("pause = true",
                                            fmt::format("follow = {{ seconds = {} }}", wrong))),
                HasSubstr("is not within 0.5 to 3600"))
        << wrong;
  }
  for (const char* wrong : {"{ }", "{ beats = 4, seconds = 2 }"}) {
    EXPECT_THAT(problems_of(performing_with("pause = true", fmt::format("follow = {}", wrong))),
                HasSubstr("either seconds or beats"))
        << wrong;
  }
}

TEST(FollowOn, KeepsItsTimeInTheDocumentButNotInAFile) {
  auto show =
      parse(performing_with("next_cue = \"drop\"", "following = 1700000000123"), "show.toml")
          .value();
  EXPECT_EQ(show.following, std::chrono::milliseconds(1700000000123));
  EXPECT_EQ(parse(to_toml(show), "again").value(), show);
  forget_fades(show);
  EXPECT_EQ(show.following, std::nullopt);
  for (const char* wrong : {"-1", "9223372036854775807"}) {
    EXPECT_THAT(
        problems_of(performing_with("next_cue = \"drop\"", fmt::format("following = {}", wrong))),
        HasSubstr("take it out"));
  }
}

TEST(Fade, IsForgottenInAFile) {
  auto show = parse(kPerforming, "show.toml").value();
  forget_fades(show);
  EXPECT_TRUE(show.find_slot({"left", "glow"})->fades.empty());
}

TEST(Fade, IsAChangeOfASlotThatRuns) {
  const auto before = parse(kPerforming, "show.toml").value();
  auto after = before;
  ASSERT_TRUE(set_fade(after, {"left", "glow"}, "Blur", Fade{0, 1, 2}));
  const auto difference = diff(before, after);
  ASSERT_EQ(difference.tuned.size(), 1U);
  EXPECT_EQ(difference.tuned[0].fades, (Fades{{"Blur", {0, 1, 2}}}));
  EXPECT_TRUE(difference.rebuilt.empty());
}

TEST(Fade, IsRefusedWhereItLeadsNowhere) {
  EXPECT_THAT(problems_of(performing_with("frames = 60", "frames = 0")),
              HasSubstr("fade of \"Blur\""));
  EXPECT_THAT(problems_of(performing_with("from = 0.25, frame", "from = inf, frame")),
              HasSubstr("take it out"));
}

}  // namespace
}  // namespace submix::show
