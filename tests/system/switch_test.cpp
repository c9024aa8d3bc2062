// SPDX-License-Identifier: GPL-3.0-or-later
// A show on two nodes changes to another size and to
// another show. A show that cannot be built ends nothing.

#include "tests/system/live_cluster.hpp"

#include "common/show/parse.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace submix::testing {
namespace {

/// `performer` on node "left" feeds `mix` on node "mix". `more` are further slots of `mix`.
std::string show_of(std::string_view performer, std::string_view mix, Size size,
                    std::string_view more = "") {
  return fmt::format(R"toml(
[show]
name = "of {1}"
size = [{2}, {3}]
rate = 60

[[node]]
name = "left"
[[node]]
name = "mix"

[[submix]]
name = "{0}"
node = "left"
slot = [
  {{ name = "pattern", plugin = "pattern" }},
  {{ name = "invert", plugin = "frei0r/invert0r" }},
  {{ name = "stamp", plugin = "stamp" }},
  {{ name = "out", plugin = "stream-out" }},
]

[[submix]]
name = "{1}"
node = "mix"
slot = [
  {{ name = "in", plugin = "stream-in" }},
  {{ name = "check", plugin = "checker" }},
  {4}
  {{ name = "end", plugin = "null" }},
]

[[stream]]
name = "{0}"
from = "{0}.out"
to = "{1}.in"
local = "off"
)toml",
                     performer, mix, size.width, size.height, more);
}

constexpr Size kSmall{320, 240};
constexpr Size kLarge{640, 480};
constexpr const char* kMissing =
    R"({ name = "logo", plugin = "clip", parameters = { file = "missing.mkv" } },
  { name = "over", plugin = "frei0r/addition", inputs = ["check", "logo"] },)";

/// Pairs of slots that keep 120 frames each: 0.7 GB at 320x240.
std::string too_much_memory() {
  constexpr int kPairs = 20;
  std::string slots;
  for (int i = 0; i < kPairs; ++i) {
    slots += fmt::format(
        "{{ name = \"kept-{0}\", plugin = \"pattern\", inputs = [] }},\n"
        "{{ name = \"late-{0}\", plugin = \"mix\", inputs = [\"check\", \"kept-{0}@120\"] }},\n",
        i);
  }
  return slots;
}

constexpr std::string_view kNoRoom = "no room for";

class Switching : public ::testing::Test {
 protected:
  Switching() {
    for (const auto* node : {"left", "mix"})
      cluster_.start_node(node);
    cluster_.apply(show_of("left", "mix", kSmall));
  }

  /// Applies a show of which node "mix" can build nothing.
  void apply_too_large(const std::string& performer, const std::string& mix, Size size) {
    constexpr std::size_t kMegabytes = 500;
    cluster_.limit_memory_of("mix", kMegabytes);
    cluster_.apply(show_of(performer, mix, size, too_much_memory()));
    ASSERT_TRUE(is_failed(mix, kNoRoom));
  }
  [[nodiscard]] bool makes_frames(const std::string& submix) const {
    const auto before = frames_of(*cluster_.view(), submix, "end");
    return cluster_.wait_until([&](const model::ClusterView& view) {
      const auto now = frames_of(view, submix, "end");
      return now > before + 60 || (now < before && now > 60);  // the count may have begun again
    });
  }
  [[nodiscard]] Size size_of(const std::string& node, const std::string& submix) const {
    const auto picture =
        cluster_.control().request_snapshot(node, {cluster::CommandKind::snapshot, submix, "", 0});
    return picture ? picture->size : Size{};
  }
  [[nodiscard]] bool is_failed(const std::string& submix, std::string_view reason) const {
    return cluster_.wait_until([&](const model::ClusterView& view) {
      const auto* found = view.find_submix(submix);
      return found != nullptr && found->state == model::SubmixState::failed &&
             found->error.find(reason) != std::string::npos;
    });
  }

  mutable LiveCluster cluster_;
};

TEST_F(Switching, GoesToAnotherSizeAndBack) {
  ASSERT_TRUE(cluster_.wait_until_all_run());
  for (const auto size : {kLarge, kSmall, kLarge}) {
    cluster_.apply(show_of("left", "mix", size));
    ASSERT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView&) { return size_of("mix", "mix") == size; }));
    EXPECT_TRUE(makes_frames("mix"));
    EXPECT_EQ(counter_of(*cluster_.view(), "mix", "check", "reordered"), 0U);
    EXPECT_EQ(counter_of(*cluster_.view(), "mix", "check", "lost"), 0U);
  }
}

TEST_F(Switching, ASizeInWhichTheMixCannotBeBuiltLeavesItRunningUntilItIsTakenBack) {
  ASSERT_TRUE(cluster_.wait_until_all_run());
  ASSERT_NO_FATAL_FAILURE(apply_too_large("left", "mix", kLarge));
  EXPECT_TRUE(is_failed("mix", "what ran before goes on, at 320x240 and 60 fps"));
  ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
    return size_of("left", "left") == kLarge;
  })) << "the other node goes over";
  EXPECT_EQ(size_of("mix", "mix"), kSmall);
  cluster_.apply(show_of("left", "mix", kSmall));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  EXPECT_TRUE(makes_frames("mix"));
}

TEST_F(Switching, AMissingClipIsBlackInTheOtherSizeAndHoldsUpNothing) {
  ASSERT_TRUE(cluster_.wait_until_all_run());
  cluster_.apply(show_of("left", "mix", kLarge, kMissing));
  ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
    const auto* mix = view.find_submix("mix");
    return mix != nullptr && mix->error.find("missing.mkv") != std::string::npos &&
           mix->error.find("black stands in for it") != std::string::npos;
  }));
  ASSERT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView&) { return size_of("mix", "mix") == kLarge; }));
  EXPECT_TRUE(makes_frames("mix"));
}

TEST_F(Switching, AnotherShowWhoseMixCannotBeBuiltLeavesTheMixRunningUntilItIsMended) {
  ASSERT_TRUE(cluster_.wait_until_all_run());
  ASSERT_NO_FATAL_FAILURE(apply_too_large("performer", "main", kSmall));
  ASSERT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
    return cluster_.log_of("mix").find("goes on until main can be built") != std::string::npos;
  }));
  cluster_.apply(show_of("performer", "main", kSmall));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  EXPECT_TRUE(makes_frames("main"));
}

TEST_F(Switching, AnotherShowThatIsTakenBackFindsTheFormerOneStillThere) {
  ASSERT_TRUE(cluster_.wait_until_all_run());
  ASSERT_NO_FATAL_FAILURE(apply_too_large("performer", "main", kLarge));
  cluster_.apply(show_of("left", "mix", kSmall));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  EXPECT_TRUE(makes_frames("mix"));
}

}  // namespace
}  // namespace submix::testing
