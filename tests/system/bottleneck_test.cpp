// SPDX-License-Identifier: GPL-3.0-or-later
// Three PCs. A slot becomes slow, then a link, then a
// node hangs: `model::find_bottleneck` names each.

#include "tests/system/several_pcs.hpp"

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/session/nats_access.hpp"
#include "controller/session/session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>

namespace submix::testing {
namespace {

using Kind = model::Bottleneck::Kind;
using namespace std::chrono_literals;

// Each stream needs 55 Mbit/s; each of the two cables carries 40.
constexpr int kCableMbit = 40;
constexpr const char* kBottleneckShow = R"toml(
[show]
name = "three"
size = [320, 240]
rate = 30

[[node]]
name = "left"
[[node]]
name = "right"
[[node]]
name = "mix"

[[submix]]
name = "left"
node = "left"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "effect", plugin = "frei0r/deeds" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "right"
node = "right"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "left", plugin = "stream-in" },
  { name = "right", plugin = "stream-in" },
  { name = "fade", plugin = "frei0r/xfade0r", inputs = ["left", "right"] },
]

[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
links = 2

[[stream]]
name = "right"
from = "right.out"
to = "mix.right"
links = 2
)toml";

class BottleneckOfThreePcs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcs_.network().is_ready()) GTEST_SKIP() << NetworkNamespaces::kNeeds;
    ASSERT_EQ(pcs_.run("desk", "submix key new show.key").status, 0);
    for (const auto* rack : {"rack1", "rack2"})
      ASSERT_EQ(pcs_.run("desk", "cp -p show.key " + pcs_.folder_of(rack).string()).status, 0);
    pcs_.start("nats", "desk", "submix --key show.key nats --listen 198.18.0.1");
    ASSERT_TRUE(pcs_.wait_until_log_says("nats", "NATS answers at "));
    start_node("mix", "desk", 1);
    start_node("left", "rack1", 2);
    start_node("right", "rack2", 3);
    for (const auto* rack : {"rack1", "rack2"}) {
      for (int cable = 0; cable < NetworkNamespaces::kCables; ++cable)
        ASSERT_TRUE(pcs_.network().shape(rack, cable, kCableMbit));
    }
    ASSERT_TRUE(
        write_file_atomically(pcs_.folder_of("desk") / "show.toml", kBottleneckShow).has_value());
    const auto applied = pcs_.run("desk", kAnywhere + "submix apply show.toml");
    ASSERT_EQ(applied.status, 0) << applied.output;
  }

  void start_node(const std::string& name, const std::string& pc, int number) {
    const auto host = std::to_string(number);
    pcs_.start(name, pc,
               "env FREI0R_PATH=" SUBMIX_TEST_PLUGINS ":/usr/lib/frei0r-1 submix-node --name " +
                   name +
                   " --nats nats://198.18.0.1:4222 --key show.key --data-port 7400 --data-address "
                   "198.18.0." +
                   host + " --data-address 198.18.1." + host);
    ASSERT_TRUE(pcs_.wait_until_log_says(name, "control plane: connected"));
  }

  /// Observes the show from the desk, like a controller.
  void watch(const std::function<void()>& body) {
    pcs_.network().run_on("desk", [&] {
      const auto key = cluster::ShowKey::read(pcs_.folder_of("desk") / "show.key");
      ASSERT_TRUE(key.has_value());
      session_ = std::make_unique<session::Session>(
          std::make_unique<session::NatsAccess>(cluster::BusSettings{
              .url = "nats://198.18.0.1:4222", .name = "watcher", .key = *key}),
          clock_, session::SessionSettings{.author = "system test"});
      body();
      session_.reset();
    });
  }

  void expect_nothing_holds_it_back() {
    EXPECT_TRUE(wait_for([](const model::Bottleneck& now) { return now.kind == Kind::nothing; }))
        << last_.sentence;
  }
  /// The time depends on other programs of this machine: the test prints the time and does not
  /// judge it.
  void expect_named(const char* what, const std::function<void()>& befall,
                    const std::function<bool(const model::Bottleneck&)>& is_named) {
    const auto began = clock_.now();
    befall();
    EXPECT_TRUE(wait_for(is_named)) << what << ": " << last_.sentence;
    std::printf("%s: named after %.1f s: %s\n", what,
                std::chrono::duration<double>(clock_.now() - began).count(),
                last_.sentence.c_str());
  }

  [[nodiscard]] bool wait_for(const std::function<bool(const model::Bottleneck&)>& is_so) {
    const auto deadline = clock_.now() + SeveralPcs::kPatience;
    while (clock_.now() < deadline) {
      if (const auto view = session_->view(); view != nullptr)
        last_ = model::find_bottleneck(*view);
      if (is_so(last_)) return true;
      std::this_thread::sleep_for(100ms);
    }
    return false;
  }

  const std::string kAnywhere = "env SUBMIX_NATS=nats://198.18.0.1:4222 SUBMIX_KEY=show.key ";
  SeveralPcs pcs_;
  SteadyClock clock_;
  std::unique_ptr<session::Session> session_;
  model::Bottleneck last_;
};

TEST_F(BottleneckOfThreePcs, IsTheSlowSlotThenTheSlowLinkThenTheNodeThatHangs) {
  const auto set_deed = [&](const std::string& deed) {
    return [&, deed] {
      EXPECT_EQ(pcs_.run("desk", kAnywhere + "submix set left.effect.deed " + deed).status, 0);
    };
  };
  watch([&] {
    expect_nothing_holds_it_back();
    expect_named("slot", set_deed("slow"), [](const model::Bottleneck& now) {
      return now.kind == Kind::slot && now.submix == "left" && now.slot == "effect";
    });
    set_deed("none")();
    expect_nothing_holds_it_back();
    expect_named(
        "link", [&] { EXPECT_TRUE(pcs_.network().shape("rack2", 1, kCableMbit / 10)); },
        [](const model::Bottleneck& now) {
          return now.kind == Kind::link && now.stream == "right" && now.link == 1U;
        });
    EXPECT_TRUE(pcs_.network().shape("rack2", 1, kCableMbit));
    expect_nothing_holds_it_back();
    expect_named(
        "node", [&] { pcs_.freeze("left"); },
        [](const model::Bottleneck& now) {
          return now.kind == Kind::standstill &&
                 now.sentence.find("node \"left\"") != std::string::npos;
        });
    pcs_.thaw("left");
    expect_nothing_holds_it_back();
  });
}

}  // namespace
}  // namespace submix::testing
