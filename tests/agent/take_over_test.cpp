// A submix begins a new life on another node, or after a restart, and the clock there is behind.
// The patches and streams are real; only the time of day is made up.
#include "common/link/data_plane.hpp"
#include "common/link/stream_sender.hpp"
#include "common/wire/epoch.hpp"
#include "tests/agent/machines.hpp"
#include "tests/agent/slot.hpp"

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
std::uint64_t in_years(int years) {
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>((now + years * std::chrono::hours(365 * 24)).count());
}

/// Submix "left"; its frames are counted where "mix" runs, on "c".
show::Show show_with_left_on(const std::string& node) {
  show::Show show;
  show.size = {240, 48};
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"b", ""}, {"c", ""}};
  show.submixes = {
      {"left", node, {slot("p", "pattern"), slot("s", "stamp"), slot("out", "stream-out")}},
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
  /// The machine and `other` know each other, and no third machine.
  Machine& start_apart(const std::string& name, Machine& other) {
    auto& machine = *(machines_[name] = std::make_unique<Machine>(name));
    machine.meet(other);
    other.meet(machine);
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

  [[nodiscard]] std::optional<telemetry::StreamReading> end_of_stream(
      const std::string& name) const {
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
    return std::ranges::any_of(
        events, [&](const auto& line) { return line.find(text) != std::string::npos; });
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
  EXPECT_TRUE(has_said("a", "left: its new node has taken over")) << "within kMovePatience\n"
                                                                  << state();
  EXPECT_EQ(counted("epochs"), 2U);
  EXPECT_EQ(counted("reordered"), 0U);
}

TEST_F(TakeOver, ByANodeThatCannotRunTheSubmixNeverEndsTheFormer) {
  start("a");
  start("b");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  auto moved = show_with_left_on("b");
  moved.submixes[0].slots[1].plugin = "refused";
  give(moved);
  ASSERT_TRUE(wait_until([&] { return has_said("b", "\"refused\""); })) << state();
  for (const auto* name : {"a", "b", "c"})
    machine(name).put_forward(10 * Submixes::kMoveHaste);
  EXPECT_TRUE(wait_for_frames_from("a", 200)) << state();

  give(show_with_left_on("a"));
  EXPECT_TRUE(wait_for_frames_from("a", 200)) << "taken back\n" << state();
  EXPECT_EQ(counted("reordered"), 0U);
}

show::Show show_with_filed_left_on(const std::string& node) {
  auto show = show_with_left_on(node);
  show.submixes[0].slots[0].plugin = "filed";
  return show;
}

TEST_F(TakeOver, ByANodeThatLacksTheFileNeverEndsTheFormer) {
  start("a");
  start("b").set_has_file(false);
  start("c");
  give(show_with_filed_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  give(show_with_filed_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return has_said("b", "node \"a\" goes on with the submix"); }))
      << state();
  EXPECT_TRUE(wait_for_frames_from("a", 200)) << state();
  EXPECT_EQ(machine("b").reports().at(0).state, cluster::SubmixState::failed);

  machine("b").set_has_file(true);
  give(show_with_filed_left_on("b"));
  EXPECT_TRUE(wait_for_frames_from("b")) << "the file has come\n" << state();
  EXPECT_TRUE(wait_until([&] { return has_said("a", "left: its new node has taken over"); }))
      << state();
  EXPECT_EQ(counted("reordered"), 0U);
}

TEST_F(TakeOver, ByANodeThatLacksTheFileDoesNotComeWithItsRestart) {
  start("a");
  start("b").set_has_file(false);
  start("c");
  give(show_with_filed_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  give(show_with_filed_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return has_said("b", "node \"a\" goes on with the submix"); }))
      << state();
  end("b");
  auto& again = start("b");
  again.set_has_file(false);
  ASSERT_TRUE(wait_until([&] { return again.other_node_of("left") == "a"; })) << state();
  again.give(show_with_filed_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return has_said("b", "node \"a\" goes on with the submix"); }))
      << state();
  EXPECT_TRUE(wait_for_frames_from("a", 200)) << state();
}

TEST_F(TakeOver, ByANodeThatLacksTheFileComesOnceTheFormerHasEnded) {
  start("a");
  start("b").set_has_file(false);
  start("c");
  give(show_with_filed_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  give(show_with_filed_left_on("b"));
  ASSERT_TRUE(wait_until([&] { return has_said("b", "node \"a\" goes on with the submix"); }))
      << state();
  end("a");
  machine("b").take_for_ended("a");
  EXPECT_TRUE(wait_for_frames_from("b")) << "black is better than nothing\n" << state();
  EXPECT_TRUE(has_said("b", "black stands in for it")) << state();
}

TEST_F(TakeOver, HasNotComeWhileNoReceiverTakesTheNewFrames) {
  start("a");
  start("c");
  auto show = show_with_left_on("a");
  show.streams[0].policy = show::InputPolicy::latest;
  give(show);
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  auto& b = start_apart("b", machine("a"));  // it does not know the addresses of "c"
  show.submixes[0].node = "b";
  give(show);
  ASSERT_TRUE(wait_until([&] { return machine("a").other_node_of("left") == "b"; })) << state();
  EXPECT_FALSE(machine("a").has_taken_over("left"));
  EXPECT_TRUE(wait_for_frames_from("a", 200)) << state();
  b.meet(machine("c"));
  EXPECT_TRUE(wait_for_frames_from("b")) << state();
  EXPECT_TRUE(wait_until([&] { return has_said("a", "left: its new node has taken over"); }))
      << state();
}

TEST_F(TakeOver, OfASubmixWhoseReceiverNobodyRunsComesWithItsFirstFrame) {
  start("a");
  start("b");
  auto show = show_with_left_on("a");
  show.submixes[1].node.clear();
  show.streams[0].policy = show::InputPolicy::latest;
  give(show);
  ASSERT_TRUE(wait_until([&] { return machine("b").other_node_of("left") == "a"; })) << state();
  show.submixes[0].node = "b";
  give(show);
  EXPECT_TRUE(wait_until([&] { return has_said("a", "left: its new node has taken over"); }))
      << state();
}

TEST_F(TakeOver, OfAMixByANodeThatCannotRunItLeavesThePictureWhereItIs) {
  start("a");
  start("b");
  start("c");
  auto show = show_with_left_on("a");
  give(show);
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  show.submixes[1].node = "b";
  show.submixes[1].slots[1].plugin = "refused";
  give(show);
  ASSERT_TRUE(wait_until([&] { return has_said("b", "\"refused\""); })) << state();
  for (const auto* name : {"a", "b", "c"})
    machine(name).put_forward(10 * Streams::kMovePatience);
  const auto produced = [&] {
    return end_of_stream("c") ? end_of_stream("c")->frames_produced : 0;
  };
  const auto before = produced();
  EXPECT_TRUE(wait_until([&] { return produced() > before + 100; })) << state();
}

TEST_F(TakeOver, ByAnotherSenderThatAFailedEditPreventsIsToldOnce) {
  start("a");
  start("c");
  auto show = show_with_left_on("a");
  give(show);
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  show.streams[0].checksum = Checksum::xxh3;
  show.submixes[0].slots[1].plugin = "refused";
  give(show);
  ASSERT_TRUE(wait_until([&] { return has_said("a", "\"refused\" is ever made"); })) << state();
  machine("a").put_forward(DrainingSenders::kEditPatience - 1s);
  const auto said =
      "stream left: goes on as before, since the change of submix \"left\" has failed";
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

TEST_F(TakeOver, ByItsOwnNextLifeGoesOnWhateverEpochAReportHasInTheBucketForEver) {
  start("a");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  const auto nine_years_ahead = in_years(9);
  for (const auto heard :
       {std::uint64_t{1} << 63, wire::kEpochMax, in_years(11), nine_years_ahead}) {
    machine("c").hear(heard);
    for (int restart = 0; restart < 2; ++restart) {
      const auto former = end_of_stream("c")->epoch;
      end("a");
      auto& again = start("a");
      again.hear(heard);
      again.give(show_with_left_on("a"));
      ASSERT_TRUE(wait_until([&] { return end_of_stream("c")->epoch > former; })) << heard << "\n"
                                                                                  << state();
      ASSERT_TRUE(wait_for_frames_from("a")) << heard << "\n" << state();
    }
  }
}

/// A peer with the key that sends a Hello of stream "left" with a chosen epoch, but no frame.
class Intruder {
 public:
  Intruder(std::uint64_t epoch, const std::vector<DataEndpoint>& to) {
    link::DataPlaneOptions options;
    options.node = "intruder";
    options.addresses = {"127.0.0.1"};
    data_plane_ = link::DataPlane::start(std::move(options)).value();
    link::SenderOptions stream;
    stream.stream = "left";
    stream.size = {240, 48};
    stream.rate = {240, 1};
    stream.epoch = epoch;
    stream.links.is_local_allowed = false;
    sender_ = data_plane_->open_sender(std::move(stream)).value();
    sender_->set_destination("c", to, {});
  }
  [[nodiscard]] bool is_told(std::string_view text) const {
    return std::ranges::any_of(sender_->telemetry().links, [&](const telemetry::LinkReading& link) {
      return link.error.find(text) != std::string::npos;
    });
  }

 private:
  std::unique_ptr<link::DataPlane> data_plane_;
  std::shared_ptr<link::StreamSender> sender_;
};

TEST_F(TakeOver, ByAHelloOfAnAbsurdEpochIsRefusedAndLeavesNoTrace) {
  start("a");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  const auto epoch = end_of_stream("c")->epoch;
  {
    const Intruder intruder(in_years(11), machine("c").endpoints());
    ASSERT_TRUE(wait_until([&] { return intruder.is_told("ahead of the clock here"); })) << state();
  }
  EXPECT_TRUE(wait_for_frames_from("a")) << state();
  EXPECT_EQ(end_of_stream("c")->epoch, epoch);
}

TEST_F(TakeOver, ByAHelloFromYearsAheadLastsOnlyUntilTheSenderHasHeardOfIt) {
  start("a");
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  const auto ahead = in_years(9);
  {
    const Intruder intruder(ahead, machine("c").endpoints());
    ASSERT_TRUE(wait_until([&] { return end_of_stream("c")->epoch == ahead; })) << state();
  }
  for (int life = 0; life < 3; ++life) {
    ASSERT_TRUE(wait_until([&] { return end_of_stream("c")->epoch > ahead; })) << state();
    ASSERT_TRUE(wait_for_frames_from("a")) << state();
    end("a");
    start("a").give(show_with_left_on("a"));
  }
}

TEST_F(TakeOver, ByAHelloThatNoOtherEpochCanExceedEndsWithTheNextRevisionOfTheShow) {
  // The sender's node has no clock: it believes fewer epochs than its receiver's node.
  start("a", in_1970);
  start("c");
  give(show_with_left_on("a"));
  ASSERT_TRUE(wait_for_frames_from("a")) << state();
  const auto ahead = in_years(10) - 86'400'000'000'000;
  {
    const Intruder intruder(ahead, machine("c").endpoints());
    ASSERT_TRUE(wait_until([&] { return end_of_stream("c")->epoch == ahead; })) << state();
  }
  ASSERT_TRUE(wait_until([&] { return is_refused("a"); })) << state();
  give(show_with_left_on("a"));
  EXPECT_TRUE(wait_for_frames_from("a")) << state();
  EXPECT_LT(end_of_stream("c")->epoch, ahead);
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
  for (int i = 0; i < 10; ++i) {  // while its thread checks again and again
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
