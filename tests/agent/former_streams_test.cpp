// A show changes to a size in which one submix cannot be built. The submix runs on as before. Its
// streams are reported and counted, and follow the show.
#include "controller/model/verdict/ledger.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "tests/agent/machines.hpp"
#include "tests/agent/slot.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <thread>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAreArray;
using ::testing::SizeIs;

constexpr auto* kSmallEdge = "left (240x48, 240 fps)";
constexpr auto* kLargeEdge = "left (480x96, 240 fps)";

constexpr Size kSmall{240, 48};
constexpr Size kLarge{480, 96};

/// "left" on node "a" feeds "mix" on node "c".
show::Show small() {
  show::Show show;
  show.size = kSmall;
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"c", ""}};
  show.submixes = {
      {"left", "a", {slot("p", "pattern"), slot("s", "stamp"), slot("out", "stream-out")}},
      {"mix", "c", {slot("left", "stream-in"), slot("check", "checker"), slot("end", "null")}}};
  show.streams.emplace_back();
  show.streams[0].name = "left";
  show.streams[0].from = {"left", "out"};
  show.streams[0].to = {"mix", "left"};
  return show;
}

/// A show in which these submixes cannot be built, though their stream ends can.
show::Show large_without(const std::vector<std::string>& failing) {
  auto show = small();
  show.size = kLarge;
  for (auto& submix : show.submixes) {
    if (std::ranges::find(failing, submix.name) != failing.end())
      submix.slots.push_back(slot("refused", "refused"));
  }
  return show;
}

class FormerStreams : public ::testing::Test {
 protected:
  FormerStreams() {
    for (const auto* name : {"a", "c"})
      machines_[name] = std::make_unique<Machine>(name);
    meet("a", "a");
    meet("c", "c");
  }
  ~FormerStreams() override {
    for (const auto& [name, machine] : machines_)
      machine->stop();
  }

  void meet(const std::string& who, const std::string& whom) { machine(who).meet(machine(whom)); }
  void meet_each_other() {
    meet("a", "c");
    meet("c", "a");
  }
  void give(const show::Show& show) {
    show_ = show;
    for (const auto& [name, machine] : machines_)
      machine->give(show);
  }
  [[nodiscard]] Machine& machine(const std::string& name) const { return *machines_.at(name); }

  /// Repeats until true; ctest's timeout is the limit.
  static void wait_until(const std::function<bool()>& is_so) {
    while (!is_so())
      std::this_thread::sleep_for(1ms);
  }
  void wait_until_failed(const std::string& name) const {
    wait_until([&] {
      const auto reports = machine(name).reports();
      return machine(name).is_settled() && !reports.empty() &&
             reports[0].state == cluster::SubmixState::failed;
    });
  }
  /// Frames that have passed the whole submix.
  [[nodiscard]] std::uint64_t frames_of(const std::string& name) const {
    const auto submixes = machine(name).submixes();
    return submixes.empty() ? 0 : submixes[0].frames;
  }
  void wait_for_more_frames(const std::string& name, std::uint64_t more = 20) const {
    const auto before = frames_of(name);
    wait_until([&] { return frames_of(name) >= before + more; });
  }
  void run_small() {
    meet_each_other();
    give(small());
    wait_for_more_frames("c");
  }
  [[nodiscard]] std::vector<telemetry::StreamReading> former_ends(const std::string& name) const {
    auto readings = machine(name).streams();
    std::erase_if(readings, [](const auto& reading) { return !reading.is_former; });
    return readings;
  }

  /// The ledger of all machines at this moment, as a controller makes it after one and a half
  /// seconds.
  [[nodiscard]] std::vector<model::LedgerEdge> ledger() {
    model::ClusterModel model;
    model.set_show(std::make_shared<const show::Show>(show_), 1, "test", "");
    model.set_connection(model::ConnectionState::connected, "", LocalTime());
    LocalTime now;
    for (std::uint64_t round = 0; round < 16; ++round) {
      now += 100ms;
      for (const auto& [name, machine] : machines_) {
        cluster::NodeReport report;
        report.node = name;
        report.instance = "1";
        report.submixes = machine->reports();
        model.accept(report, now);
        telemetry::NodeReading reading;
        reading.node = name;
        reading.instance = "1";
        reading.sequence = round;
        reading.uptime = now.time_since_epoch();
        reading.submixes = machine->submixes();
        reading.streams = machine->streams();
        model.accept(reading, now);
      }
    }
    return model::make_ledger(model.view(now));
  }
  [[nodiscard]] static std::string text_of(const std::vector<model::LedgerEdge>& ledger) {
    std::string text;
    for (const auto& edge : ledger) {
      if (!edge.is_stream) continue;
      text += fmt::format("{}: {} produced, {} delivered, {} dropped, {} in flight: {} ({})\n",
                          edge.name, edge.produced, edge.delivered, edge.dropped(),
                          edge.in_flight(), to_string(edge.balance), edge.remark);
    }
    return text;
  }
  void expect_balanced_ledger(const std::vector<std::string>& names) {
    std::vector<model::LedgerEdge> edges;
    wait_until([&] {  // the stream's two ends are read at different times
      edges = ledger();
      return model::is_balanced(edges);
    });
    std::vector<std::string> found;
    for (const auto& edge : edges) {
      if (edge.is_stream) found.push_back(edge.name);
      EXPECT_EQ(edge.produced, edge.delivered + edge.dropped() + edge.in_flight()) << edge.name;
    }
    EXPECT_THAT(found, ElementsAreArray(names)) << text_of(edges);
  }

  std::map<std::string, std::unique_ptr<Machine>> machines_;
  show::Show show_;
};

TEST_F(FormerStreams, AreToldApartFromThoseOfTheNewSize) {
  run_small();
  EXPECT_THAT(former_ends("a"), SizeIs(0));
  EXPECT_THAT(former_ends("c"), SizeIs(0));
  give(large_without({"left", "mix"}));
  for (const auto* name : {"a", "c"}) {
    wait_until_failed(name);
    const auto before = former_ends(name);
    ASSERT_THAT(before, SizeIs(1)) << name;
    EXPECT_THAT(machine(name).streams(), SizeIs(2)) << name;
    EXPECT_EQ(before[0].size, kSmall) << name;
    wait_until([&] { return former_ends(name)[0].frames >= before[0].frames + 20; });
  }
}

TEST_F(FormerStreams, OfBothSubmixesBalanceByThemselves) {
  run_small();
  give(large_without({"left", "mix"}));
  for (const auto* name : {"a", "c"})
    wait_until_failed(name);
  wait_for_more_frames("c");
  expect_balanced_ledger({kLargeEdge, kSmallEdge});
}

TEST_F(FormerStreams, OfTheReceiverOnlyBalanceByThemselves) {
  run_small();
  give(large_without({"mix"}));
  wait_until_failed("c");
  wait_until([&] { return former_ends("a").empty(); });
  expect_balanced_ledger({kLargeEdge, kSmallEdge});
}

TEST_F(FormerStreams, OfTheSenderOnlyBalanceByThemselves) {
  run_small();
  give(large_without({"left"}));
  wait_until_failed("a");
  wait_until([&] { return former_ends("c").empty(); });
  expect_balanced_ledger({kLargeEdge, kSmallEdge});
}

// Changes while the former size runs on.

TEST_F(FormerStreams, FollowTheInputsPolicyWhereTheReceiverRunsOn) {
  run_small();
  auto show = large_without({"mix"});
  give(show);
  wait_until_failed("c");
  wait_until([&] { return former_ends("a").empty(); });
  show.streams[0].policy = show::InputPolicy::black;
  show.streams[0].pause_budget = 1ms;
  give(show);
  wait_for_more_frames("c");
}

TEST_F(FormerStreams, ThatTheShowHasNoMoreHoldNobodyUpWhoRunsOn) {
  run_small();
  auto show = small();
  show.submixes[0].slots.back() = slot("end", "null");
  show.submixes[1].slots = {slot("refused", "refused")};
  show.streams.clear();
  give(show);
  wait_until_failed("c");
  wait_for_more_frames("c", 400);  // more frames than were on their way
}

TEST_F(FormerStreams, FollowTheInputsPolicyWhereTheSenderRunsOn) {
  run_small();
  auto show = large_without({"left"});
  give(show);
  wait_until_failed("a");
  wait_until([&] { return former_ends("c").empty(); });
  show.streams[0].policy = show::InputPolicy::latest;
  give(show);
  wait_for_more_frames("a");
}

}  // namespace
}  // namespace submix::agent
