// SPDX-License-Identifier: GPL-3.0-or-later
// A show follows the sound of a clip that one of its nodes plays.

#include "tests/io/sounding_clip.hpp"
#include "tests/system/live_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace submix::testing {
namespace {

std::string show_with(const std::string& file) {
  return R"([show]
name = "video"
size = [64, 64]
rate = 30
sound = { node = "rack", device = "clip:left.clip" }
[[node]]
name = "rack"
[[submix]]
name = "left"
node = "rack"
slot = [
  { name = "clip", plugin = "clip", parameters = { file = ")" +
         file + R"(" } },
  { name = "end", plugin = "null" },
]
)";
}

const model::NodeView& rack_of(const model::ClusterView& view) {
  static const model::NodeView kNone;
  const auto* rack = view.find_node("rack");
  return rack == nullptr ? kNone : *rack;
}

TEST(ClipSound, MovesTheNumbersOfTheShowAndIsMissedAloud) {
  LiveCluster cluster;
  write_sounding_clip(cluster.folder() / "loud.mkv", {});
  write_sounding_clip(cluster.folder() / "silent.mkv", {.sound = ""});
  cluster.start_node("rack");
  cluster.apply(show_with("loud.mkv"));
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto& heard = rack_of(view).sound;
    return heard.is_listening && heard.sound.level > 0.3 && heard.sound.mids > 0.3;
  })) << cluster.log_of("rack");
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto& inputs = rack_of(view).sound_devices;
    return std::ranges::find(inputs, CaptureDevice{"clip:left.clip", "clip in left.clip"}) !=
           inputs.end();
  }));

  cluster.apply(show_with("silent.mkv"));
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto& heard = rack_of(view).sound;
    return heard.trouble.find("clip silent.mkv in slot left.clip has no sound") !=
               std::string::npos &&
           heard.sound.level == 0;
  })) << cluster.log_of("rack");

  cluster.apply(show_with("loud.mkv"));
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto& heard = rack_of(view).sound;
    return heard.trouble.empty() && heard.sound.level > 0.3;
  })) << cluster.log_of("rack");
}

}  // namespace
}  // namespace submix::testing
