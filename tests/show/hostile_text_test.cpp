// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that would crash or block every reader without the text limits.
#include "common/base/thread.hpp"
#include "common/show/cut.hpp"
#include "common/show/parse.hpp"
#include "common/show/problem_limits.hpp"
#include "common/show/text_limits.hpp"
#include "common/show/validate.hpp"
#include "tests/show/problems_of.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace submix::show {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A hostile text may cost this many times a plain one. Without limits it costs thousands of times.
constexpr int kTimesPlainText = 20;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

std::string numbered_keys(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("{:x}=1\n", i);
  return text;
}

struct Parsed {
  std::chrono::nanoseconds time;
  std::size_t problems;
};

Parsed parse_in_time(std::string_view text) {
  const auto begin = thread_cpu_time();
  const auto show = parse(text, "show.toml");
  return {thread_cpu_time() - begin, show ? 0 : show.error().size()};
}

std::size_t problems_in_time(std::string_view text) {
  static const auto plain = parse_in_time(numbered_keys(60'000)).time;
  const auto parsed = parse_in_time(text);
  EXPECT_LT(parsed.time, kTimesPlainText * plain);
  return parsed.problems;
}

TEST(Show, FindsNothingByAnEmptyName) {
  Show show;
  show.submixes = {{"", "", {{"", "clip", {}, {}}}}, {"left", "", {{"", "clip", {}, {}}}}};
  show.streams = {Stream()};
  EXPECT_EQ(show.find_submix(""), nullptr);
  EXPECT_EQ(show.find_slot({"left", ""}), nullptr);
  EXPECT_EQ(show.find_stream(""), nullptr);
}

TEST(Parse, TellsOfASubmixWithoutANameWithLineAndRemedy) {
  EXPECT_THAT(problems_of("[show]\nname = \"duo\"\n[[submix]]\n[[submix.slot]]\n"),
              HasSubstr("show.toml:3: submix 1: name is missing; write name = \"…\""));
  EXPECT_THAT(
      problems_of("[[submix]]\nname = \"\"\n[[submix.slot]]\nname = \"a\"\nplugin = \"submix/\"\n"),
      AllOf(HasSubstr("show.toml:2: submix \"\": name \"\" cannot be used"),
            HasSubstr(
                "show.toml:5: submix \"\", slot \"a\": plugin \"submix/\": submix \"\" is not")));
}

TEST(Parse, RefusesKeysThatNestTooDeep) {
  const auto deep = [](const std::string& text) {
    EXPECT_THAT(problems_of(text), HasSubstr("nested more than 32 deep; a show needs 4"))
        << text.substr(0, 40);
  };
  deep("a" + repeated(".a", 60'000) + " = 1\n");
  deep("[a" + repeated(" . a", 60'000) + "]\n");
  deep("[[a" + repeated(".\"a\"", 60'000) + "]]\n");
  deep("x = " + repeated("{a=", 60'000));
  deep("x = " + repeated("{a.a=[", 11) + "{");
  deep(std::string(100'000, '['));
  deep("x = { a = \"\"\"b\"\"\"\", c" + repeated(".c", 40) + " = 1 }");
}

TEST(Parse, NamesTheLineThatNestsTooDeep) {
  EXPECT_THAT(
      problems_of("# a\nx = \"\"\"\n\\\n\"\"\"\ny = 'z'\na" + repeated(".a", 40) + " = 1\n"),
      HasSubstr("show.toml:6: brackets and dots"));
}

TEST(Parse, CountsNoDotsOfTextsCommentsAndFormerKeys) {
  const auto dots = repeated(".", 100);
  const auto text = "# " + dots + "\nx = \"" + dots + "\\\"" + dots + "\"\ny = '" + dots +
                    "'\nz = \"\"\"" + dots + "\n" + dots + "\"\"\"\n" + "[a.b.c]\n[d.e]\n" +
                    "n = [" + repeated("0.5, ", 100) + "]\n";
  EXPECT_THAT(problems_of(text), Not(HasSubstr("deep")));
}

TEST(Parse, RefusesATextThatIsTooLarge) {
  EXPECT_THAT(problems_of(std::string(kShowBytesMax + 1, '\n')),
              HasSubstr("the show has 1048577 bytes, more than 1048576; split it"));
}

TEST(Parse, TellsTheFirstHundredProblemsOnly) {
  const auto show =
      parse("[show]\nname = \"duo\"\n" + repeated("[[node]]\nx = 1\n", 64), "show.toml");
  ASSERT_FALSE(show);
  ASSERT_EQ(show.error().size(), kProblemsMax + 1);
  EXPECT_THAT(to_string(show.error().back()),
              HasSubstr("show.toml: and 28 more problems, at least; mend the first 100"));
}

TEST(Parse, CutsTheTextOfAProblem) {
  const auto show = parse("[[node]]\n" + std::string(100'000, 'x') + " = 1\n", "show.toml");
  ASSERT_FALSE(show);
  for (const auto& problem : show.error())
    EXPECT_LE(problem.text.size(), kProblemBytesMax + 3);
}

TEST(Parse, LetsNoKeyAndNoNameBeginALineOfItsOwn) {
  for (const std::string text : {"\"b\\nx.toml: show is in order\" = 1\n",
                                 "[[node]]\nname = \"b\\nx.toml: show is in order\"\n",
                                 "[[submix]]\nname = \"b\\nx.toml: show is in order\"\n"}) {
    const auto show = parse(text, "show.toml");
    ASSERT_FALSE(show);
    for (const auto& problem : show.error())
      EXPECT_THAT(problem.text, Not(HasSubstr("\n"))) << text;
  }
}

TEST(Parse, RefusesAShowsNameOfTwoLines) {
  EXPECT_THAT(
      problems_of("[show]\nname = \"b\\nx.toml: show is in order\"\n"),
      HasSubstr("show: name \"?\" is empty, longer than 100 bytes or not one line of plain text"));
}

TEST(Parse, AnswersFortyThousandStreamsAtOnce) {
  EXPECT_GT(problems_in_time("[show]\nname = \"duo\"\n" + repeated("[[stream]]\n", 40'000)), 0U);
  EXPECT_THAT(problems_of(repeated("[[stream]]\n", 40'000)),
              HasSubstr("40000 of \"stream\" are more than 256; take some out"));
}

TEST(Parse, AnswersAHundredThousandUnknownKeysAtOnce) {
  std::string text = numbered_keys(110'000);
  EXPECT_EQ(problems_in_time(text), 1U);
  EXPECT_THAT(problems_of(text),
              HasSubstr("show.toml:65537: here are more than 65536 keys and tables"));
  text.resize(text.find("\nffff="));
  EXPECT_EQ(problems_in_time(text), kProblemsMax + 1);
}

TEST(Parse, AnswersTablesThatTheLibraryLooksForAmongAllOthers) {
  std::string dotted;
  std::string headers;
  for (const auto* key : {"x", "y"}) {
    for (int i = 0; i < 32'000; ++i)
      dotted += fmt::format("{:x}.{}=1\n", i, key);
  }
  for (int i = 0; i < 32'000; ++i)
    headers += fmt::format("[{:x}.a]\n", i);
  for (int i = 0; i < 32'000; ++i)
    headers += fmt::format("[{:x}]\n", i);
  EXPECT_GT(problems_in_time(dotted), 0U);
  EXPECT_GT(problems_in_time(headers), 0U);
}

TEST(Parse, AnswersAHundredThousandUnknownInputsAtOnce) {
  EXPECT_GT(problems_in_time("[[submix]]\nname = \"a\"\n[[submix.slot]]\ninputs = [" +
                             repeated("\"ab\",", 200'000) + "]\n"),
            0U);
}

TEST(Parse, AnswersSixtyThousandParametersAtOnce) {
  std::string text = "[[submix]]\nname = \"a\"\n[[submix.slot]]\n[submix.slot.parameters]\n";
  for (int i = 0; i < 60'000; ++i)
    text += fmt::format("{:x}=0\n", i);
  EXPECT_GT(problems_in_time(text), 0U);
  EXPECT_THAT(problems_of(text), HasSubstr("60000 parameters are more than 128"));
}

TEST(Cut, LeavesWholeLetters) {
  EXPECT_EQ(cut("äöü", 6), "äöü");
  EXPECT_EQ(cut("äöü", 5), "äö…");
  EXPECT_EQ(cut("äöü", 1), "…");
}

}  // namespace
}  // namespace submix::show
