// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/simulated_show.hpp"

#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "tests/support/why.hpp"

#include <gtest/gtest.h>

namespace submix::simulation {
namespace {

TEST(MadeShow, HasAsManyNodesAndStreamsAsAskedFor) {
  const auto show = make_show({64, 256, 1});
  ASSERT_TRUE(show) << show.error().message;
  EXPECT_EQ(show->nodes.size(), 64U);
  EXPECT_EQ(show->submixes.size(), 64U);
  EXPECT_EQ(show->streams.size(), 256U);
}

TEST(MadeShow, IsValidAtEverySize) {
  for (std::size_t nodes = 1; nodes <= show::kNodesMax; ++nodes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto show = make_show({nodes, {}, seed});
      ASSERT_TRUE(show) << nodes << ": " << show.error().message;
      const auto problems = show::validate(*show);
      EXPECT_TRUE(problems.empty()) << nodes << " nodes: " << show::to_string(problems);
    }
  }
}

TEST(MadeShow, StaysItselfAsText) {
  const auto show = make_show({24, 96, 5});
  ASSERT_TRUE(show);
  const auto again = show::parse(show::to_toml(*show), "made show");
  ASSERT_TRUE(again) << show::to_string(again.error());
  EXPECT_EQ(*again, *show);
}

TEST(MadeShow, IsTheSameForTheSameSeed) {
  EXPECT_EQ(*make_show({16, 40, 9}), *make_show({16, 40, 9}));
  EXPECT_NE(*make_show({16, 40, 9}), *make_show({16, 40, 10}));
}

TEST(MadeShow, LeadsEveryPictureToTheOutput) {
  const auto show = make_show({9, 8, 1});
  ASSERT_TRUE(show) << show.error().message;
  for (const auto& submix : show->submixes) {
    bool is_read = submix.name == "output";
    for (const auto& stream : show->streams)
      is_read = is_read || stream.from.submix == submix.name;
    EXPECT_TRUE(is_read) << submix.name;
  }
}

TEST(MadeShow, SaysHowManyStreamsArePossible) {
  EXPECT_EQ(why(make_show({8, 3, 1})),
            "3 streams: a simulated show of 8 nodes has 7 to 48; choose --streams within that");
  EXPECT_FALSE(make_show({64, 257, 1}));
  EXPECT_EQ(why(make_show({65, {}, 1})),
            "65 nodes: a show has 1 to 64; choose --nodes within that");
}

}  // namespace
}  // namespace submix::simulation
