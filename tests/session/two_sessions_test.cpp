// SPDX-License-Identifier: GPL-3.0-or-later
// Two controllers of one cluster, over a real nats-server.
#include "common/show/parse.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/session/nats_access.hpp"
#include "controller/session/session.hpp"
#include "tests/model/readings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
namespace sample = model::sample;

class TwoSessionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    local::NatsServerSettings settings;
    settings.folder = folder_.path();
    auto started = local::NatsServer::start(settings);
    ASSERT_TRUE(started) << started.error().message;
    nats_ = std::move(*started);
    auto bus = cluster::Bus::connect({.url = nats_->url()});
    ASSERT_TRUE(bus) << bus.error().message;
    cluster::Cluster cluster(**bus);
    ASSERT_TRUE(cluster.put_show({show::to_toml(sample::show()), "test"}, std::nullopt));
    for (auto* session : {&first_, &second_}) {
      auto access = std::make_unique<NatsAccess>(cluster::BusSettings{.url = nats_->url()});
      *session = std::make_unique<Session>(std::move(access), clock_, SessionSettings{"test"});
    }
    ASSERT_TRUE(until([&] { return first_->view()->show && second_->view()->show; }));
  }
  [[nodiscard]] static bool until(const std::function<bool()>& holds) {
    for (int i = 0; i < 400; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(50ms);
    }
    return false;
  }
  [[nodiscard]] static std::string node_of_left(const Session& session) {
    const auto view = session.view();
    const auto* left = view->find_submix("left");
    return left == nullptr ? "?" : left->node;
  }

  testing::TemporaryFolder folder_;
  SteadyClock clock_;
  std::optional<local::NatsServer> nats_;
  std::unique_ptr<Session> first_;
  std::unique_ptr<Session> second_;
};

TEST_F(TwoSessionsTest, SeeEachOthersEdits) {
  ASSERT_TRUE(first_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(until([&] { return node_of_left(*second_) == "rack2"; }));
  ASSERT_TRUE(second_->post(EditShow{model::SetBypass{{"left", "glow"}, true}}));
  EXPECT_TRUE(
      until([&] { return first_->view()->show->find_slot({"left", "glow"})->is_bypassed; }));
  EXPECT_EQ(node_of_left(*first_), "rack2");
}

TEST_F(TwoSessionsTest, LoseNoEditOfDifferentThingsMadeAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const auto node = round % 2 == 0 ? "rack2" : "rack1";
    ASSERT_TRUE(first_->post(EditShow{model::AssignSubmix{"left", node}}));
    ASSERT_TRUE(
        second_->post(EditShow{model::SetParameter{{"left", "glow"}, "Blur", 0.05 * round}}));
  }
  const auto is_settled = [](const Session& session) {
    const auto view = session.view();
    const auto& blur = view->show->find_slot({"left", "glow"})->parameters.at("Blur");
    return !view->edit.is_writing && node_of_left(session) == "rack1" &&
           blur == show::ParameterValue(0.45);
  };
  EXPECT_TRUE(until([&] { return is_settled(*first_) && is_settled(*second_); }));
}

TEST_F(TwoSessionsTest, AgreeAfterConflictingEdits) {
  ASSERT_TRUE(first_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  ASSERT_TRUE(second_->post(EditShow{model::AssignSubmix{"left", ""}}));
  EXPECT_TRUE(until([&] {
    const auto a = first_->view();
    const auto b = second_->view();
    return !a->edit.is_writing && !b->edit.is_writing && a->show_revision == b->show_revision &&
           node_of_left(*first_) == node_of_left(*second_) && node_of_left(*first_) != "rack1";
  }));
}

}  // namespace
}  // namespace submix::session
