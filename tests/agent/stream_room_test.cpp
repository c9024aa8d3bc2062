// A stream's memory is fixed when it opens. An edit that keeps more frames fits, or is refused.
#include "tests/agent/machines.hpp"

#include "tests/agent/slot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// "left" on "a" feeds "mix" on "c", which reads its stream `late` frames late.
show::Show show_with(const std::string& late) {
  show::Show show;
  show.size = {240, 48};
  show.rate = {240, 1};
  show.nodes = {{"a", ""}, {"c", ""}};
  show.submixes = {
      {"left", "a", {slot("p", "pattern"), slot("out", "stream-out")}},
      {"mix",
       "c",
       {slot("in", "stream-in"), slot("sum", "mix", {{"in", late}}), slot("end", "null")}}};
  show.streams.emplace_back();
  show.streams[0].name = "left";
  show.streams[0].from = {"left", "out"};
  show.streams[0].to = {"mix", "in"};
  return show;
}

class RoomOfAStream : public ::testing::Test {
 protected:
  RoomOfAStream() {
    machines_[0].meet(machines_[1]);
    machines_[1].meet(machines_[0]);
  }
  ~RoomOfAStream() override {
    for (auto& machine : machines_)
      machine.stop();
  }

  void give(const show::Show& show) {
    for (auto& machine : machines_)
      machine.give(show);
    ASSERT_TRUE(wait_until([this] {
      return std::ranges::all_of(machines_,
                                 [](const auto& machine) { return machine.is_settled(); });
    }));
  }
  [[nodiscard]] std::string error() const { return machines_[1].reports().at(0).error; }
  [[nodiscard]] std::uint64_t frames() const {
    const auto submixes = machines_[1].submixes();
    return submixes.empty() || submixes[0].stages.empty() ? 0 : submixes[0].stages.back().frames;
  }
  [[nodiscard]] bool do_frames_flow() const {
    const auto before = frames();
    return wait_until([&] { return frames() > before + 60; });
  }
  [[nodiscard]] static bool wait_until(const std::function<bool()>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }

  std::array<Machine, 2> machines_{Machine("a"), Machine("c")};
};

TEST_F(RoomOfAStream, IsNotGrownByAnEditThatDelaysItsFramesFar) {
  give(show_with("in"));
  EXPECT_TRUE(do_frames_flow());
  give(show_with("in@30"));
  EXPECT_THAT(error(), HasSubstr("the slots behind it would keep"));
  EXPECT_TRUE(do_frames_flow());
}

TEST_F(RoomOfAStream, IsNotTakenForGrownWhereItsSlotIsMadeAnewWithTheSameEdit) {
  give(show_with("in"));
  EXPECT_TRUE(do_frames_flow());
  auto later = show_with("in@30");
  later.streams[0].checksum = Checksum::xxh3;
  give(later);
  EXPECT_THAT(error(), HasSubstr("the slots behind it would keep"));
  EXPECT_TRUE(do_frames_flow());
}

TEST_F(RoomOfAStream, IsAsItMustBeOnceTheStreamWasTakenOutAndPutInAgain) {
  give(show_with("in"));
  EXPECT_TRUE(do_frames_flow());
  auto without = show_with("in@30");
  without.streams.clear();
  give(without);
  EXPECT_EQ(error(), "");
  give(show_with("in@30"));
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(do_frames_flow());
}

TEST_F(RoomOfAStream, IsNotTakenForGrownByASlotOfAnotherName) {
  give(show_with("in"));
  EXPECT_TRUE(do_frames_flow());
  auto later = show_with("again@30");
  later.streams[0].to.slot = later.submixes[1].slots[0].name = "again";
  later.submixes[1].slots[1].inputs->front() = "again";
  give(later);
  EXPECT_THAT(error(), HasSubstr("the slots behind it would keep"));
  EXPECT_TRUE(do_frames_flow());
}

}  // namespace
}  // namespace submix::agent
