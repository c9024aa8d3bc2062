// A show changes its size or rate, or gives way to another show. The former submixes run on until
// the new ones are built, and as long as those cannot be built.
#include "node/agent/submixes.hpp"
#include "tests/agent/machines.hpp"
#include "tests/agent/slot.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <thread>

namespace submix::agent {
namespace {

using ::testing::HasSubstr;

constexpr Size kSmallShow{64, 64};
constexpr Size kLargeShow{128, 64};

show::Show show_of(std::vector<show::Submix> submixes, Size size = kSmallShow) {
  show::Show show;
  show.size = size;
  show.rate = {240, 1};
  show.submixes = std::move(submixes);
  return show;
}

show::Submix observed(const std::string& name) {
  return {name, "here", {slot("p", "pattern"), slot("w", "witness"), slot("n", "null")}};
}

/// The life of the plugin "witness" of one submix, at one size.
struct Life {
  std::atomic<int> made = 0;
  std::atomic<int> alive = 0;
  std::atomic<std::uint64_t> frames = 0;
};

class Witness final : public plugin::Plugin {
 public:
  explicit Witness(Life& life) : life_(life) {
    ++life_.made;
    ++life_.alive;
  }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() override { --life_.alive; }

  std::optional<media::Frame> process(plugin::Work& work) override {
    ++life_.frames;
    return work.inputs[0];
  }
  void set(std::string_view, const show::ParameterValue&) override {}

 private:
  Life& life_;
};

class Switch : public ::testing::Test {
 protected:
  Switch() {
    plugin::add_built_ins(catalog_);
    // So a whole submix fails for one refused slot.
    catalog_.add(
        {.id = "witness", .kind = plugin::Kind::filter},
        [this](const plugin::Setup& setup) { return make_witness(setup); }, plugin::TryOut::none);
  }

  Result<std::unique_ptr<plugin::Plugin>> make_witness(const plugin::Setup& setup) {
    if (before_making_) before_making_(setup);
    ++tries_;
    if (is_refused_(setup))
      return fail("no witness for {}x{}", setup.size.width, setup.size.height);
    return std::make_unique<Witness>(life(setup.submix, setup.size));
  }

  Life& life(const std::string& submix, Size size = kSmallShow) {
    return lives_[{submix, size.width}];
  }

  /// Repeats until true; ctest's timeout is the limit.
  static void wait_until(const std::function<bool()>& is_so) {
    while (!is_so())
      std::this_thread::yield();
  }
  static void wait_for_more_frames(const Life& life, std::uint64_t more = 3) {
    const auto before = life.frames.load();
    wait_until([&] { return life.frames >= before + more; });
  }
  cluster::SubmixReport report_of(const std::string& submix) const {
    for (const auto& report : submixes_.reports()) {
      if (report.name == submix) return report;
    }
    return {"", cluster::SubmixState::starting, "there is none"};
  }

  testing::EventLog events_;
  ForwardClock clock_;
  plugin::Catalog catalog_{{}};
  engine::Transport transport_;
  EpochClock epochs_;
  std::map<std::pair<std::string, int>, Life> lives_;
  std::function<void(const plugin::Setup&)> before_making_;
  std::function<bool(const plugin::Setup&)> is_refused_ = [](const auto&) { return false; };
  int tries_ = 0;
  PeersReady met_ = PeersReady::all;
  Submixes submixes_{engine::PatchEnvironment{catalog_, events_, clock_, transport_}, epochs_,
                     [this](const std::string&) { return met_; }};
};

// Another size.

class AnotherSize : public Switch {
 protected:
  AnotherSize() {
    submixes_.converge(show_of({observed("a"), observed("b")}));
    wait_for_more_frames(life("a"));
    wait_for_more_frames(life("b"));
  }
  static show::Show large() { return show_of({observed("a"), observed("b")}, kLargeShow); }
};

TEST_F(AnotherSize, IsBuiltWhileFramesOfTheFormerOneComeOut) {
  before_making_ = [this](const plugin::Setup& setup) {
    if (setup.size == kLargeShow) wait_for_more_frames(life(setup.submix), 20);
  };
  submixes_.converge(large());
  for (const auto* name : {"a", "b"}) {
    wait_for_more_frames(life(name, kLargeShow));
    EXPECT_EQ(life(name).alive, 0) << "the former one of " << name;
    EXPECT_EQ(report_of(name).state, cluster::SubmixState::running);
  }
}

TEST_F(AnotherSize, EndsTheFormerOneThoughItIsReadAllTheTime) {
  const std::jthread reader([this](const std::stop_token& stop) {
    while (!stop.stop_requested())
      static_cast<void>(submixes_.readings());
  });
  for (int round = 0; round < 10; ++round) {
    submixes_.converge(large());
    EXPECT_EQ(life("a").alive, 0) << "in round " << round;
    submixes_.converge(show_of({observed("a"), observed("b")}));
    EXPECT_EQ(life("a", kLargeShow).alive, 0) << "in round " << round;
  }
}

TEST_F(AnotherSize, ThatCannotBeBuiltLeavesTheFormerOneRunningAndTheOthersGoOver) {
  is_refused_ = [](const plugin::Setup& setup) {
    return setup.submix == "a" && setup.size == kLargeShow;
  };
  submixes_.converge(large());
  wait_for_more_frames(life("a"));
  wait_for_more_frames(life("b", kLargeShow));
  EXPECT_EQ(report_of("a").state, cluster::SubmixState::failed);
  EXPECT_THAT(report_of("a").error, HasSubstr("no witness for 128x64"));
  EXPECT_THAT(report_of("a").error, HasSubstr("what ran before goes on, at 64x64 and 240 fps"));
  EXPECT_EQ(report_of("b").state, cluster::SubmixState::running);
}

TEST_F(AnotherSize, IsTriedAgainWithTheNextChange) {
  is_refused_ = [](const plugin::Setup& setup) {
    return setup.submix == "a" && setup.size == kLargeShow;
  };
  submixes_.converge(large());
  is_refused_ = [](const auto&) { return false; };
  submixes_.converge(large());
  wait_for_more_frames(life("a", kLargeShow));
  EXPECT_EQ(life("a").alive, 0);
  EXPECT_EQ(life("b", kLargeShow).made, 1) << "it was there already";
  EXPECT_EQ(report_of("a").state, cluster::SubmixState::running);
}

TEST_F(AnotherSize, ThatFailedAndIsTakenBackBuildsNothingAnewOfWhatRuns) {
  is_refused_ = [](const plugin::Setup& setup) {
    return setup.submix == "a" && setup.size == kLargeShow;
  };
  submixes_.converge(large());
  submixes_.converge(show_of({observed("a"), observed("b")}));
  wait_for_more_frames(life("b"));
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a").made, 1);
  EXPECT_EQ(report_of("a").state, cluster::SubmixState::running);
}

TEST_F(AnotherSize, WaitsForTheOtherEndsOfItsStreams) {
  met_ = PeersReady::none;
  submixes_.converge(large());
  EXPECT_TRUE(submixes_.is_handing_over());
  submixes_.tend();
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a", kLargeShow).frames, 0U);
  met_ = PeersReady::all;
  submixes_.tend();
  wait_for_more_frames(life("a", kLargeShow));
  EXPECT_EQ(life("a").alive, 0);
  EXPECT_FALSE(submixes_.is_handing_over());
}

TEST_F(AnotherSize, DoesNotWaitForThemForEver) {
  met_ = PeersReady::none;
  submixes_.converge(large());
  clock_.put_forward(Submixes::kMeetPatience);
  submixes_.tend();
  wait_for_more_frames(life("a", kLargeShow));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherSize, WaitsNotLongForTheRestOfThem) {
  met_ = PeersReady::none;
  submixes_.converge(large());
  clock_.put_forward(Submixes::kRestPatience);
  submixes_.tend();
  EXPECT_TRUE(submixes_.is_handing_over()) << "nobody is there yet";
  met_ = PeersReady::some;
  submixes_.tend();
  clock_.put_forward(Submixes::kRestPatience);
  submixes_.tend();
  wait_for_more_frames(life("a", kLargeShow));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherSize, WaitsOnWhenAKnobIsTurned) {
  met_ = PeersReady::none;
  submixes_.converge(large());
  auto turned = large();
  turned.submixes[0].slots[0].parameters["speed"] = 0.5;
  submixes_.converge(turned);
  EXPECT_TRUE(submixes_.is_handing_over());
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a", kLargeShow).frames, 0U);
  met_ = PeersReady::all;
  submixes_.tend();
  wait_for_more_frames(life("a", kLargeShow));
  EXPECT_EQ(life("a", kLargeShow).made, 1);
}

TEST_F(AnotherSize, WaitsForNobodyInAPause) {
  met_ = PeersReady::none;
  transport_.follow(true, 0);
  submixes_.converge(large());
  EXPECT_EQ(life("a").alive, 0);
  EXPECT_FALSE(submixes_.is_handing_over());
}

TEST_F(AnotherSize, ThatIsTakenBackWhileItWaitsLeavesNoTrace) {
  met_ = PeersReady::none;
  submixes_.converge(large());
  submixes_.converge(show_of({observed("a"), observed("b")}));
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a").made, 1) << "the size before is wanted again";
  EXPECT_EQ(life("a", kLargeShow).frames, 0U);
  EXPECT_FALSE(submixes_.is_handing_over());
}

TEST_F(AnotherSize, ThatAnotherShowHasComesWithAllOfIt) {
  met_ = PeersReady::none;
  submixes_.converge(show_of({observed("c")}, kLargeShow));
  submixes_.tend();
  wait_for_more_frames(life("a"));
  met_ = PeersReady::all;
  submixes_.tend();
  wait_for_more_frames(life("c", kLargeShow));
  EXPECT_EQ(life("a").alive, 0);
  EXPECT_EQ(submixes_.reports().size(), 1U);
}

// Another show.

class AnotherShow : public Switch {
 protected:
  AnotherShow() {
    submixes_.converge(show_of({observed("a")}));
    wait_for_more_frames(life("a"));
  }
  void refuse(const std::string& submix) {
    is_refused_ = [submix](const plugin::Setup& setup) { return setup.submix == submix; };
  }
  [[nodiscard]] bool has_said(const std::string& text) const {
    const auto lines = events_.lines();
    return std::ranges::any_of(
        lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
  }
};

TEST_F(AnotherShow, IsBuiltWhileFramesOfTheFormerOneComeOut) {
  before_making_ = [this](const plugin::Setup&) { wait_for_more_frames(life("a"), 20); };
  submixes_.converge(show_of({observed("b")}));
  wait_for_more_frames(life("b"));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherShow, ThatCannotBeBuiltLeavesTheFormerOneRunning) {
  refuse("b");
  submixes_.converge(show_of({observed("b")}));
  wait_for_more_frames(life("a"));
  EXPECT_EQ(report_of("b").state, cluster::SubmixState::failed);
  EXPECT_TRUE(has_said("a: removed from the show, but goes on until b can be built in its place"));
}

TEST_F(AnotherShow, EndsTheFormerOneOnceItIsMended) {
  refuse("b");
  submixes_.converge(show_of({observed("b")}));
  refuse("none");
  submixes_.converge(show_of({observed("b")}));
  wait_for_more_frames(life("b"));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherShow, EndsTheFormerOneWithWhatCouldNotBeBuilt) {
  refuse("b");
  submixes_.converge(show_of({observed("b"), observed("c")}));
  EXPECT_EQ(life("a").alive, 1);
  submixes_.converge(show_of({observed("c")}));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherShow, ThatIsTakenBackFindsTheFormerOneStillThere) {
  refuse("b");
  submixes_.converge(show_of({observed("b")}));
  submixes_.converge(show_of({observed("a")}));
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a").made, 1);
  EXPECT_EQ(report_of("a").state, cluster::SubmixState::running);
  EXPECT_EQ(submixes_.reports().size(), 1U);
}

TEST_F(AnotherShow, DoesNotKeepWhatHasGoneForAnotherReason) {
  refuse("b");
  submixes_.converge(show_of({observed("a"), observed("b")}));
  submixes_.converge(show_of({observed("b")}));
  EXPECT_EQ(life("a").alive, 0) << "nothing came in its place";
}

TEST_F(AnotherShow, WaitsForTheOtherEndsOfItsStreams) {
  met_ = PeersReady::none;
  submixes_.converge(show_of({observed("b"), observed("c")}));
  submixes_.tend();
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("b").frames, 0U);
  met_ = PeersReady::all;
  submixes_.tend();
  wait_for_more_frames(life("b"));
  wait_for_more_frames(life("c"));
  EXPECT_EQ(life("a").alive, 0);
}

TEST_F(AnotherShow, ThatIsTakenBackWhileItWaitsLeavesNoTrace) {
  met_ = PeersReady::none;
  submixes_.converge(show_of({observed("b")}));
  submixes_.converge(show_of({observed("a")}));
  wait_for_more_frames(life("a"));
  EXPECT_EQ(life("a").made, 1);
  EXPECT_EQ(life("b").frames, 0U);
  EXPECT_EQ(life("b").alive, 0);
  EXPECT_FALSE(submixes_.is_handing_over());
}

TEST_F(AnotherShow, WhereNothingRanBeforeStartsAtOnce) {
  met_ = PeersReady::none;
  submixes_.converge(show_of({observed("a"), observed("b")}));
  wait_for_more_frames(life("b"));
}

TEST_F(AnotherShow, TakesAStreamFromWhatWouldGoOn) {
  auto show = show_of({observed("a")});
  show.streams.emplace_back();
  show.streams[0].name = "s";
  show.streams[0].to = {"a", "in"};
  submixes_.converge(show);
  refuse("b");
  auto next = show_of({observed("b"), observed("c")});
  next.streams = show.streams;
  next.streams[0].to = {"c", "in"};
  submixes_.converge(next);
  EXPECT_EQ(life("a").alive, 0) << "c has its stream";
  wait_for_more_frames(life("c"));
}

// Failed builds.

class WhatFailed : public Switch {
 protected:
  WhatFailed() {
    is_refused_ = [](const plugin::Setup& setup) { return setup.submix == "b"; };
    submixes_.converge(show_of({observed("a"), observed("b")}));
    wait_for_more_frames(life("a"));
  }
};

TEST_F(WhatFailed, IsTriedAgainWhileTheOthersRunOn) {
  before_making_ = [this](const plugin::Setup&) { wait_for_more_frames(life("a"), 20); };
  is_refused_ = [](const auto&) { return false; };
  submixes_.converge(show_of({observed("a"), observed("b")}));
  wait_for_more_frames(life("b"));
  EXPECT_EQ(life("a").made, 1);
}

TEST_F(WhatFailed, IsNotTriedAgainForAKnobOfAnotherOne) {
  const auto before = tries_;
  auto turned = observed("a");
  turned.slots[0].parameters["speed"] = 0.5;
  submixes_.converge(show_of({turned, observed("b")}));
  EXPECT_EQ(tries_, before);
  EXPECT_EQ(report_of("b").state, cluster::SubmixState::failed);
  auto mended = observed("b");
  mended.slots[0].parameters["speed"] = 0.5;
  is_refused_ = [](const auto&) { return false; };
  submixes_.converge(show_of({turned, mended}));
  wait_for_more_frames(life("b"));
}

TEST_F(WhatFailed, IsSaidOnce) {
  submixes_.converge(show_of({observed("a"), observed("b")}));
  const auto lines = events_.lines();
  EXPECT_EQ(
      std::ranges::count_if(
          lines, [](const auto& line) { return line.find("no witness") != std::string::npos; }),
      1);
}

}  // namespace
}  // namespace submix::agent
