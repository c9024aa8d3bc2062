// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session.hpp"

#include "common/show/parse.hpp"
#include "tests/model/readings.hpp"
#include "tests/session/fake_cluster.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <semaphore>

namespace submix::session {
namespace {

using namespace std::chrono_literals;
namespace sample = model::sample;

bool has_notice(const model::ClusterView& view, std::string_view text) {
  return std::ranges::any_of(view.events, [&](const auto& event) {
    return event.event.text.find(text) != std::string::npos;
  });
}

/// A session on a fake cluster. `until` waits for a view, however slow the machine is.
class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    auto cluster = std::make_unique<FakeCluster>();
    cluster_ = cluster.get();
    cluster_->on_write([this] { ++writes_; });
    session_ = std::make_unique<Session>(std::move(cluster), clock_,
                                         SessionSettings{"test", [this] { news_.release(); }});
  }
  void show_sample() {
    cluster_->set_revision(1);
    cluster_->say(ConnectionUpdate{model::ConnectionState::connected, "nats"});
    cluster_->say(ShowUpdate{{show::to_toml(sample::show()), "somebody"}, 1});
  }
  template <typename Condition>
  [[nodiscard]] bool until(Condition holds) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!holds(*session_->view())) {
      if (!news_.try_acquire_until(deadline)) return false;
    }
    return true;
  }

  SteadyClock clock_;
  FakeCluster* cluster_ = nullptr;
  std::counting_semaphore<> news_{0};
  std::atomic<int> writes_{0};
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, StartsWithoutAnything) {
  ASSERT_NE(session_->view(), nullptr);
  EXPECT_EQ(session_->view()->connection, model::ConnectionState::connecting);
  EXPECT_TRUE(session_->pictures()->empty());
}

TEST_F(SessionTest, ShowsWhatTheClusterSays) {
  show_sample();
  EXPECT_TRUE(
      until([](const auto& view) { return view.show != nullptr && view.submixes.size() == 2; }));
}

TEST_F(SessionTest, WritesAnEditThatComesBackAsTheDesiredShow) {
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(until([](const auto& view) {
    return view.show_revision == 2 && !view.edit.is_writing &&
           view.find_submix("left")->node == "rack2";
  }));
}

TEST_F(SessionTest, WritesNothingThatANodeDeclinesAndSaysWhy) {
  cluster_->on_ask([](const show::Show* before, const show::Show& after) -> NodeCheck {
    if (before != nullptr && before->find_submix("left")->node != after.find_submix("left")->node)
      return {.refusals = {"rack2 has no clip.mp4"}};
    return {};
  });
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  const auto node = session_->view()->find_submix("left")->node;
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(until([&](const auto& view) {
    const bool is_said = std::ranges::any_of(view.events, [](const auto& event) {
      return event.event.text.find("rack2 has no clip.mp4") != std::string::npos;
    });
    return is_said && !view.edit.is_writing && view.find_submix("left")->node == node;
  }));
  EXPECT_EQ(writes_, 0);
}

TEST_F(SessionTest, WritesNothingWhileANodeHangsAndNamesIt) {
  cluster_->on_ask([](const show::Show*, const show::Show&) -> NodeCheck {
    return {.silent = {"node \"rack2\" does not answer within 2000 ms"}};
  });
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(
      until([](const auto& view) { return has_notice(view, "node \"rack2\" does not answer"); }));
  EXPECT_EQ(writes_, 0);
}

TEST_F(SessionTest, WritesAnEditForANodeThatIsNotHereAndSaysSo) {
  cluster_->on_ask([](const show::Show*, const show::Show&) -> NodeCheck {
    return {.absent = {"node \"rack2\" is not here"}};
  });
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(until([](const auto& view) {
    return view.show_revision == 2 && has_notice(view, "node \"rack2\" is not here");
  }));
}

TEST_F(SessionTest, KeepsAnEditWhoseNodesCouldNotBeAskedForTheNextTry) {
  cluster_->on_ask(
      [](const show::Show*, const show::Show&) -> NodeCheck { return {.is_unreachable = true}; });
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  EXPECT_TRUE(until([](const auto& view) {
    return has_notice(view, "not written yet, trying again") &&
           view.find_submix("left")->node == "rack2";
  }));
  EXPECT_EQ(writes_, 0);
}

TEST_F(SessionTest, PausesTheCluster) {
  show_sample();
  ASSERT_TRUE(
      until([](const auto& view) { return view.connection == model::ConnectionState::connected; }));
  ASSERT_TRUE(session_->post(SetPaused{true}));
  EXPECT_TRUE(until([](const auto& view) { return view.transport.is_paused; }));
}

TEST_F(SessionTest, FetchesPictures) {
  show_sample();
  auto report = sample::report("rack1");
  report.submixes = {{"left", cluster::SubmixState::running, ""}};
  cluster_->say(report);
  cluster_->say(sample::sender(1));
  ASSERT_TRUE(session_->post(WatchPictures{{{"left", ""}}}));
  EXPECT_TRUE(until([&](const auto&) { return session_->pictures()->contains({"left", ""}); }));
}

TEST_F(SessionTest, TellsHowLongAFileTakesToReadThoughNobodyElseSaysAnything) {
  cluster_->say(ConnectionUpdate{model::ConnectionState::connected, "nats"});
  ASSERT_TRUE(
      until([](const auto& view) { return view.connection == model::ConnectionState::connected; }));
  const testing::TemporaryFolder folder;
  const auto slow = folder / "slow.toml";
  ASSERT_EQ(::mkfifo(slow.c_str(), 0600), 0);
  ASSERT_TRUE(session_->post(OpenShow{slow.string()}));
  EXPECT_TRUE(until([](const auto& view) { return !view.file.opening.empty(); }));
  ASSERT_TRUE(session_->view()->events.empty()) << "what is told makes views, too";
  const auto begun = session_->view()->now;
  EXPECT_TRUE(until([&](const auto& view) { return view.now > begun + 800ms; }));
  std::ofstream(slow) << show::to_toml(sample::show());  // so that the reader ends
}

TEST_F(SessionTest, EndsWhileTheClusterStillTalks) {
  cluster_->chatter(sample::report("rack1"));
  ASSERT_TRUE(until([](const auto& view) { return !view.nodes.empty(); }));
  session_.reset();
}

TEST_F(SessionTest, EndsOnceTheLastEditIsWrittenHoweverMuchIsSaidBeforeIt) {
  show_sample();
  ASSERT_TRUE(until([](const auto& view) { return view.show != nullptr; }));
  for (int i = 0; i < 2000; ++i)
    cluster_->say(sample::report("rack1"));
  ASSERT_TRUE(session_->post(EditShow{model::AssignSubmix{"left", "rack2"}}));
  session_.reset();
  EXPECT_EQ(writes_, 1);
}

}  // namespace
}  // namespace submix::session
