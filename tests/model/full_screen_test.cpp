// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/full_screen.hpp"

#include "controller/model/view/cluster_model.hpp"
#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

const show::Port kWindow{"mix", "screen"};

class FullScreenTest : public ::testing::Test {
 protected:
  FullScreenTest() {
    report_.submixes.push_back({"mix", cluster::SubmixState::running, {}});
    report_.show_revision = 1;
  }
  ClusterView view() {
    telemetry::NodeReading reading;
    reading.node = "rack2";
    reading.instance = "a";
    reading.sequence = ++sequence_;
    telemetry::SubmixReading mix;
    mix.name = "mix";
    mix.stages.push_back({.slot = "screen", .plugin = "window", .queues = {}, .counters = {}});
    mix.stages[0].counters = {{"unseen", 0}, {"display", 1}, {"full_screen", covers_ ? 1 : 0}};
    reading.submixes.push_back(mix);
    ClusterModel model;
    model.set_connection(ConnectionState::connected, "nats", now_);
    model.set_show(std::make_shared<show::Show>(show_), revision_, "test");
    model.accept(report_, now_);
    model.accept(reading, now_);
    return model.view(now_);
  }
  void make(const Edit& edit) {
    ASSERT_TRUE(apply(show_, edit));
    ++revision_;
  }
  [[nodiscard]] bool wants() { return show_.find_slot(kWindow)->parameters["fullscreen"] == kOn; }

  const show::ParameterValue kOn = true;
  show::Show show_ = sample::show();
  cluster::NodeReport report_ = sample::report("rack2");
  std::uint64_t revision_ = 1;
  std::uint64_t sequence_ = 0;
  bool covers_ = false;
  LocalTime now_{10s};
  FullScreenSwitch switch_;
};

TEST_F(FullScreenTest, WritesTheWantedValue) {
  const auto edit = switch_.turn_all(true, "mix", view());
  ASSERT_TRUE(edit) << edit.error().message;
  make(*edit);
  EXPECT_TRUE(wants());
  EXPECT_FALSE(switch_.is_begun());
}

TEST_F(FullScreenTest, CountsAsSwitchedUntilTheNodeCanHaveObeyed) {
  make(switch_.turn_all(true, "mix", view()).value());
  EXPECT_TRUE(switch_.is_any_full(view())) << "the node has not covered the screen yet";
  now_ += 600ms;
  EXPECT_FALSE(switch_.is_any_full(view())) << "a person has made it a window";
  covers_ = true;
  EXPECT_TRUE(switch_.is_any_full(view()));
}

TEST_F(FullScreenTest, OfAnOutputHeldByHandWritesTheContraryFirst) {
  show_.find_slot(kWindow)->parameters["fullscreen"] = true;  // and Escape was pressed in it
  make(switch_.turn_all(true, "mix", view()).value());
  EXPECT_FALSE(wants());
  EXPECT_TRUE(switch_.is_begun());
  EXPECT_FALSE(switch_.finish(view())) << "the node has not taken it up";
  report_.show_revision = revision_;
  const auto last = switch_.finish(view());
  ASSERT_TRUE(last);
  make(*last);
  EXPECT_TRUE(wants());
  EXPECT_FALSE(switch_.is_begun());
}

TEST_F(FullScreenTest, DoesNotWaitForASilentNode) {
  show_.find_slot(kWindow)->parameters["fullscreen"] = true;
  make(switch_.turn(outputs_of(view()).at(0), true, view()));
  now_ += 3s;
  const auto last = switch_.finish(view());
  ASSERT_TRUE(last);
  make(*last);
  EXPECT_TRUE(wants());
}

TEST_F(FullScreenTest, ForgetsAnOutputThatIsDeletedMeanwhile) {
  show_.find_slot(kWindow)->parameters["fullscreen"] = true;
  make(switch_.turn_all(true, "mix", view()).value());
  std::erase_if(show_.find_submix("mix")->slots,
                [](const show::Slot& slot) { return slot.name == "screen"; });
  now_ += 3s;
  EXPECT_FALSE(switch_.finish(view()));
  EXPECT_FALSE(switch_.is_begun());
}

}  // namespace
}  // namespace submix::model
