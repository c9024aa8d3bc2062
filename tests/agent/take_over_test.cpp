// SPDX-License-Identifier: GPL-3.0-or-later
// A submix begins a new life, on another node or after a restart, where the clock is behind. Real patches and
// streams; only the time of day is made up.
#include "tests/agent/machines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

constexpr auto* kBeginsAnew = "begins anew as the newest";

EpochClock::WallClock behind(std::chrono::seconds time) {
  return [time] { return std::chrono::system_clock::now().time_since_epoch() - time; };
}
std::chrono::nanoseconds in_1970() {
  return 30s;
}

show::Slot slot(std::string name, std::string plugin) {
  return {std::move(name), std::move(plugin), {}, {}, false};
}

/// "left", whose frames are counted where "mix" runs, which is "c".
show::Show show_with_left_on(const std::string& node) {
  show::Show show;
  show.size = {240, 48};
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"b", ""}, {"c", ""}};
  show.submixes = {{"left", node, {slot("p", "pattern"), slot("s", "stamp"), slot("out", "stream-out")}},
                   {"mix", "c", {slot("left", "stream-in"), slot("check", "checker"), slot("end", "null")}}};
  show.streams.emplace_back();
  show.streams[0].name = "left";
  show.streams[0].from = {"left", "out"};
  show.streams[0].to = {"mix", "left"};
  return show;
}

class TakeOver : public ::testing::Test {
 protected:
  ~TakeOver() override {
    for (const auto& [name, machine] : machines_)
      machine->stop();
  }

  Machine& start(const std::string& name, EpochClock::WallClock wall_clock = {}) {
    auto& machine = *(machines_[name] = std::make_unique<Machine>(name, std::move(wall_clock)));
    for (const auto& [other_name, other] : machines_) {
      machine.meet(*other);
      if (other.get() != &machine) other->meet(machine);
    }
    return machine;
  }
  void end(const std::string& name) {
    machines_.at(name)->stop();
    for (const auto& [other_name, other] : machines_)
      other->part_from(*machines_.at(name));
    machines_.erase(name);
  }
  void give(const show::Show& show) {
    for (const auto& [name, machine] : machines_)
      machine->give(show);
  }
  [[nodiscard]] Machine& machine(const std::string& name) const { return *machines_.at(name); }

  [[nodiscard]] static bool wait_until(const std::function<bool()>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }

  [[nodiscard]] std::optional<telemetry::StreamReading> end_of_stream(const std::string& name) const {
    const auto streams = machine(name).streams();
    return streams.empty() ? std::nullopt : std::optional(streams.back());
  }
  [[nodiscard]] std::uint64_t counted(const std::string& finding) const {
    for (const auto& submix : machine("c").submixes()) {
      for (const auto& stage : submix.stages) {
        const auto found =
            std::ranges::find(stage.counters, finding, [](const auto& each) { return each.first; });
        if (stage.slot == "check" && found != stage.counters.end()) return found->second;
      }
    }
    return 0;
  }
  [[nodiscard]] std::string source() const {
    const auto reading = end_of_stream("c");
    return reading ? reading->peer : "";
  }
  [[nodiscard]] bool is_refused(const std::string& name) const {
    const auto reading = end_of_stream(name);
    return reading && std::ranges::any_of(reading->links, [](const telemetry::LinkReading& link) {
             return link.state == telemetry::LinkState::refused &&
                    link.error.find("newer sender") != std::string::npos;
           });
  }
  [[nodiscard]] bool wait_for_frames_from(const std::string& name, std::uint64_t more = 20) const {
    if (!wait_until([&] { return source() == name; })) return false;
    const auto before = counted("checked");
    return wait_until([&] { return counted("checked") >= before + more; }) && source() == name;
  }
  [[nodiscard]] bool has_said(const std::string& name, std::string_view text) const {
    const auto events = machine(name).events();
    return std::ranges::any_of(events,
                               [&](const auto& line) { return line.find(text) != std::string::npos; });
  }
  [[nodiscard]] std::string state() const {
    std::string text;
    for (const auto& [name, machine] : machines_) {
      for (const auto& line : machine->events())
        text += name + ": " + line + "\n";
    }
    return text;
  }

 private:
  std::map<std::string, std::unique_ptr<Machine>> machines_;
};

TEST_F(TakeOver, ByANodeWhoseClockIsBehindLeavesNoGapAndNoFrameOutOfOrder) {
  start("a");
  start("b", behind(60s));
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  give(show_with_left_on("b"));
  ASSERT_TRUE(wait_for_frames_from("b")) << state();
  ASSERT_TRUE(wait_until([&] { return has_said("a", "left: its new node has"); })) << state();
  EXPECT_TRUE(has_said("a", "left: its new node has taken over")) << "within kMovePatience\n" << state();
  EXPECT_EQ(counted("epochs"), 2U);
  EXPECT_EQ(counted("reordered"), 0U);
}

TEST_F(TakeOver, ByAnotherSenderThatAFailedEditPreventsIsToldOnce) {
  start("a");
  start("c");
  auto show = show_with_left_on("a");
  give(show);
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  show.streams[0].checksum = show::Checksum::xxh3;
  show.submixes[0].slots[1].plugin = "nonsense";
  give(show);
  ASSERT_TRUE(wait_until([&] { return has_said("a", "\"nonsense\" is not on this node"); })) << state();
  machine("a").put_forward(LeavingSenders::kEditPatience - 1s);
  const auto said =
      "stream left: it goes on as it was before, since the change of submix \"left\" could not be made";
  EXPECT_FALSE(has_said("a", said)) << state();
  machine("a").put_forward(2s);
  ASSERT_TRUE(wait_until([&] { return has_said("a", said); })) << state();
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  show.submixes[0].slots[1].plugin = "stamp";
  give(show);
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  EXPECT_TRUE(wait_until([&] { return end_of_stream("a")->epochs.size() == 2; })) << state();
}

TEST_F(TakeOver, ByANodeThatRestartsWithoutAnyTime) {
  start("a");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  const auto former = end_of_stream("c")->epoch;
  end("a");
  start("a", in_1970).give(show_with_left_on("a"));
  ASSERT_TRUE(wait_until([&] { return end_of_stream("c")->epoch > former; })) << state();
  EXPECT_TRUE(wait_for_frames_from("a")) << state();
}

TEST_F(TakeOver, ComesAlsoWhereReportsCameLaterThanTheShow) {
  for (const auto* name : {"a", "c"})
    start(name).set_heard(false);
  start("b", behind(60s));
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  give(show_with_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return is_refused("b"); })) << state();
  EXPECT_EQ(source(), "a");
  for (const auto* name : {"a", "c"})
    machine(name).set_heard(true);
  EXPECT_TRUE(wait_for_frames_from("b")) << state();
  EXPECT_TRUE(has_said("b", kBeginsAnew));
}

TEST_F(TakeOver, IsNotContestedByWhoHasYetToReadTheShow) {
  start("a");
  start("b");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  machine("b").give(show_with_left_on("b"));
  machine("c").give(show_with_left_on("b"));
  ASSERT_TRUE(wait_for_frames_from("b")) << state();
  ASSERT_TRUE(wait_until([&] { return is_refused("a"); })) << state();
  for (int i = 0; i < 10; ++i) {  // while its thread has looked at it again and again
    machine("a").put_forward(2 * Streams::kOutbidPatience);
    ASSERT_TRUE(wait_for_frames_from("b", 10)) << state();
  }
  EXPECT_FALSE(has_said("a", kBeginsAnew));
  machine("a").give(show_with_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return machine("a").is_settled(); }));
  EXPECT_TRUE(wait_for_frames_from("b")) << state();
  EXPECT_EQ(end_of_stream("c")->epochs.size(), 2U);
}

}  // namespace
}  // namespace submix::agent
