// SPDX-License-Identifier: GPL-3.0-or-later
// Oscillators of two nodes follow the show's time: what the nodes draw is what the show says of the
// frame, through changes of the tempo, a restart, a move and a node that comes late.

#include "tests/system/live_cluster.hpp"

#include "common/show/announce.hpp"
#include "common/show/input_count.hpp"
#include "common/show/parse.hpp"
#include "controller/session/announcing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace submix::testing {
namespace {

using namespace std::chrono_literals;

const std::string kLevel = show::parameter_of_input(show::kLevelOfInput, 1);

// Two submixes that differ in their names only.
std::string duo() {
  std::string toml = "[show]\nname = \"duo\"\nsize = [64, 48]\ntempo = 97\n";
  for (const auto* name : {"a", "b"})
    toml += fmt::format("[[node]]\nname = \"{}\"\n", name);
  for (const auto* name : {"a", "b"}) {
    toml += fmt::format(R"toml(
[[submix]]
name = "{0}"
node = "{0}"
[[submix.slot]]
name = "p"
plugin = "pattern"
parameters = {{ speed = 0 }}
[[submix.slot]]
name = "q"
plugin = "pattern"
[[submix.slot]]
name = "m"
plugin = "mix"
inputs = ["p", "q"]
parameters = {{ "{1}" = 0 }}
oscillators = {{ "{2}" = {{ waveform = "triangle", frequency = 0.3 }} }}
[[submix.slot]]
name = "end"
plugin = "null"
)toml",
                        name, show::parameter_of_input(show::kLevelOfInput, 2), kLevel);
  }
  return toml;
}

class ShowTimeOfNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster_.start_node("a");
    apply(show::parse(duo(), "duo").value());
  }

  void apply(const show::Show& show) {
    cluster_.apply(show::to_toml(show));
    show_ = show;
  }
  // As a controller does it.
  void change(const std::function<void(show::Show&)>& edit) {
    auto after = show_;
    edit(after);
    ASSERT_TRUE(session::announce_now(cluster_.control(), &show_, after).has_value());
    apply(after);
  }
  void set_pace(double beats_per_minute, double master_speed, double frequency) {
    change([&](show::Show& show) {
      show.tempo.beats_per_minute = beats_per_minute;
      show.tempo.master_speed = master_speed;
      for (auto& submix : show.submixes)
        submix.slots[2].oscillators.at(kLevel).frequency = frequency;
    });
  }

  [[nodiscard]] std::optional<cluster::Snapshot> picture(const std::string& submix,
                                                         const std::string& slot) {
    const auto& node = show_.find_submix(submix)->node;
    auto taken = cluster_.control().request_snapshot(
        node, {.kind = cluster::CommandKind::snapshot, .submix = submix, .slot = slot});
    return taken ? std::optional(*std::move(taken)) : std::nullopt;
  }
  [[nodiscard]] std::optional<telemetry::ShowCountReading> count_of(const std::string& submix) {
    const auto view = cluster_.view();
    const auto* found = view->find_submix(submix);
    if (found == nullptr || found->show_count.number == 0) return std::nullopt;
    return found->show_count;
  }

  /// A drawn level of 0 to 255 and the level that the show states for the same frame. Empty: the
  /// numbers of the submix's frames have just changed, or it does not run.
  struct Level {
    double drawn = 0;
    double stated = 0;
    std::uint64_t number = 0;
  };
  [[nodiscard]] std::optional<Level> level_of(const std::string& submix) {
    const auto full = picture(submix, "p");
    const auto before = count_of(submix);
    const auto mixed = picture(submix, "m");
    std::this_thread::sleep_for(250ms);  // two readings
    const auto after = count_of(submix);
    if (!full || !mixed || !before || !after || *before != *after) return std::nullopt;
    if (mixed->frame < after->since_frame || full->rgb24.size() != mixed->rgb24.size())
      return std::nullopt;

    const auto brightest = std::max_element(
        full->rgb24.begin(), full->rgb24.end(),
        [](char a, char b) { return static_cast<std::uint8_t>(a) < static_cast<std::uint8_t>(b); });
    const auto place = static_cast<std::size_t>(brightest - full->rgb24.begin());
    const FrameIndex number{after->number + (mixed->frame - after->since_frame)};
    const auto& oscillator = show_.find_slot({submix, "m"})->oscillators.at(kLevel);
    const double value =
        show::value_at(oscillator, show::moment_of(show_.tempo, show_.rate, number), 0);
    return Level{static_cast<double>(static_cast<std::uint8_t>(mixed->rgb24[place])),
                 value * static_cast<std::uint8_t>(*brightest), number.value};
  }

  // Compares several frames of each submix.
  void expect_stated_levels(std::initializer_list<const char*> submixes) {
    for (const std::string submix : submixes) {
      int compared = 0;
      for (int tries = 0; compared < 3 && tries < 100; ++tries) {
        const auto level = level_of(submix);
        if (!level) continue;
        EXPECT_NEAR(level->drawn, level->stated, 2.0) << submix << " at " << level->number;
        ++compared;
      }
      EXPECT_EQ(compared, 3) << submix;
    }
  }
  // The frames of both nodes have numbers of the same time.
  void expect_same_time() {
    const auto now = session::read_show_time(cluster_.control());
    ASSERT_TRUE(now.has_value());
    const auto expected = show_.rate.index_at(*now).value;
    for (const std::string submix : {"a", "b"}) {
      const auto count = count_of(submix);
      ASSERT_TRUE(count.has_value());
      const auto frames = cluster_.view()->find_submix(submix)->frames;
      const auto number = count->number + (frames - count->since_frame);
      EXPECT_LT(number > expected ? number - expected : expected - number, 30U) << submix;
    }
  }

  LiveCluster cluster_;
  show::Show show_;
};

TEST_F(ShowTimeOfNodes, IsTheSameThroughChangesAMoveARestartAndALateStart) {
  set_pace(120, 2, 0.15);
  set_pace(80, 0.5, 0.7);
  cluster_.start_node("b");
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_stated_levels({"a", "b"});
  for (const double speed : {2.0, 0.5, 1.3}) {
    set_pace(120, speed, 0.2 * speed);
    std::this_thread::sleep_for(100ms);
  }
  expect_stated_levels({"a", "b"});
  expect_same_time();

  cluster_.end_node("a", SIGTERM);
  cluster_.start_node("a");
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_stated_levels({"a", "b"});

  change([](show::Show& show) { show.submixes[0].node = "b"; });
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    const auto* moved = view.find_submix("a");
    return moved != nullptr && moved->running_node() == "b" && moved->frames > 60;
  }));
  expect_stated_levels({"a", "b"});
  expect_same_time();
}

}  // namespace
}  // namespace submix::testing
