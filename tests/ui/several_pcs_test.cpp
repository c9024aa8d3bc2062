// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/membership.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/pairing/joining.hpp"
#include "controller/pairing/own_desk.hpp"
#include "controller/pairing/peer_list.hpp"
#include "controller/pairing/server_users.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

using submix::testing::eventually;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SeveralPcsTest, OffersACodeByWhichAnotherPcJoins) {
  const testing::NetworkNamespaces network({"desk", "rack1"});
  if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
  const testing::TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", (folder / "desk").c_str(), 1);
  SeveralPcsState state;
  network.run_on("desk", [&] {
    SeveralPcs pcs(false);
    const model::ClusterView view;
    std::vector<session::Action> actions;
    const auto tend = [&] { pcs.tend(state, LocalTime::clock::now(), {view}, actions); };
    state.wish = SeveralPcsState::Wish::make_desk;
    ASSERT_TRUE(
        eventually([&] { return (tend(), state.is_to_start_over || !state.error.empty()); }));
    ASSERT_THAT(state.error, IsEmpty());
    state.membership = cluster::read_membership(folder / "desk/submix").value();

    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    ASSERT_THAT(state.error, IsEmpty());
    const auto code = pairing::PairingCode::parse(state.code).value();
    EXPECT_THAT(state.addresses, Contains(network.address("desk", 0)));
    network.run_on("rack1", [&] {
      const auto joined =
          pairing::join(folder / "rack1", {{network.address("desk", 0), 4223}}, code);
      ASSERT_TRUE(joined.has_value()) << joined.error().message;
      EXPECT_EQ(joined->nats_url, "nats://198.18.0.1:4222,nats://198.18.1.1:4222");
    });
    ASSERT_TRUE(eventually([&] { return (tend(), !state.news.empty()); }));
    EXPECT_THAT(state.news.back(), HasSubstr("(198.18.0.2) has joined"));
    EXPECT_THAT(state.code, IsEmpty()) << "a code is for one PC";
  });
}

TEST(SeveralPcsTest, ForgetsTheTriesOfACodeWithTheCode) {
  const testing::NetworkNamespaces network({"desk", "rack1"});
  if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
  const testing::TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", (folder / "desk").c_str(), 1);
  SeveralPcsState state;
  network.run_on("desk", [&] {
    SeveralPcs pcs(false);
    const model::ClusterView view;
    std::vector<session::Action> actions;
    const auto tend = [&] { pcs.tend(state, LocalTime::clock::now(), {view}, actions); };
    state.wish = SeveralPcsState::Wish::make_desk;
    ASSERT_TRUE(
        eventually([&] { return (tend(), state.is_to_start_over || !state.error.empty()); }));
    state.membership = cluster::read_membership(folder / "desk/submix").value();
    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    const auto wrong = state.code == "000 000" ? "111111" : "000000";
    network.run_on("rack1", [&] {
      const auto code = pairing::PairingCode::parse(wrong).value();
      EXPECT_FALSE(pairing::join(folder / "rack1", {{network.address("desk", 0), 4223}}, code));
    });
    ASSERT_TRUE(eventually([&] { return (tend(), !state.news.empty()); }));
    EXPECT_THAT(state.news.back(), HasSubstr("a wrong code"));

    state.wish = SeveralPcsState::Wish::offer_code;
    tend();
    EXPECT_THAT(state.news, IsEmpty());
  });
}

/// A desk with its server, two PCs, and a window of the desk without its picture.
class DeskOfSeveralPcsTest : public ::testing::Test {
 protected:
  DeskOfSeveralPcsTest() {
    ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    nats_ = local::NatsServer::start({.folder = folder_ / "nats", .key = key_}).value();
    EXPECT_TRUE(pairing::join_own_desk(nats_->url(), key_, folder_ / "nats"));
    for (const auto* name : {"rack1", "rack2"}) {
      const auto pc = cluster::Identity::random().public_key();
      EXPECT_TRUE(pairing::admit_to_own_desk({name, pc, "198.18.0.2"}, nats_->url()));
    }
    state_.membership = cluster::read_membership(folder_ / "submix").value();
    state_.asked_pc.peer = list().peers.at(0);
  }
  void tend(bool is_performing = false) {
    const auto now = LocalTime::clock::now();
    window_.look_after_list(state_, now);
    window_.tend(state_, now, {view_, false, is_performing}, actions_);
  }
  void remove() {
    state_.wish = SeveralPcsState::Wish::remove_pc;
    ASSERT_TRUE(eventually([&] { return (tend(), !state_.is_removing); }));
  }
  [[nodiscard]] static pairing::PeerList list() {
    return pairing::PeerBook::read(config_home()).value();
  }
  [[nodiscard]] bool takes_former_key() const {
    return cluster::Bus::connect({.url = nats_->url(), .name = "test", .key = key_}).has_value();
  }

  const testing::TemporaryFolder folder_;
  const cluster::ShowKey key_ = cluster::ShowKey::random();
  std::optional<local::NatsServer> nats_;
  model::ClusterView view_;
  std::vector<session::Action> actions_;
  SeveralPcsState state_;
  SeveralPcs window_{false};
};

TEST_F(DeskOfSeveralPcsTest, ShutsOutThePcThatWasAskedFor) {
  remove();
  EXPECT_THAT(state_.error, IsEmpty());
  ASSERT_FALSE(state_.news.empty());
  EXPECT_THAT(state_.news.back(), HasSubstr("rack1 (198.18.0.2) is shut out"));
  ASSERT_EQ(list().peers.size(), 1U);
  EXPECT_EQ(list().peers[0].name, "rack2");
  EXPECT_FALSE(takes_former_key());

  remove();
  EXPECT_THAT(state_.error, HasSubstr("not on the desk's list any more"));
  EXPECT_EQ(list().peers.size(), 1U);
}

TEST_F(DeskOfSeveralPcsTest, LetsAPcDoLess) {
  state_.asked_rights = cluster::Rights::watch;
  state_.wish = SeveralPcsState::Wish::set_rights;
  ASSERT_TRUE(eventually([&] { return (tend(), !state_.is_busy); }));
  EXPECT_THAT(state_.error, IsEmpty());
  ASSERT_FALSE(state_.news.empty());
  EXPECT_EQ(state_.news.back(), "rack1 may watch the show, and change nothing.");
  EXPECT_EQ(list().peers.at(0).rights, cluster::Rights::watch);
  EXPECT_EQ(list().peers.at(1).rights, cluster::Rights::everything);
  EXPECT_TRUE(eventually([this] { return !takes_former_key(); })) << "by the key alone";
  EXPECT_NE(pairing::bus_of_own_desk(), nullptr);
}

TEST_F(DeskOfSeveralPcsTest, RemembersWhoConnectsAgainByNewRights) {
  const auto lets_watch = [this] {
    state_.asked_rights = cluster::Rights::watch;
    state_.wish = SeveralPcsState::Wish::set_rights;
    return eventually([this] { return (tend(), !state_.is_busy); });
  };
  ASSERT_TRUE(lets_watch());
  EXPECT_NE(state_.changed_pc, state_.asked_pc.peer.key) << "it was not connected";

  state_.asked_pc.peer = list().peers.at(1);
  state_.asked_pc.programs = {"submix-node left"};
  ASSERT_TRUE(lets_watch());
  EXPECT_EQ(state_.changed_pc, state_.asked_pc.peer.key);
}

TEST_F(DeskOfSeveralPcsTest, ShutsNobodyOutWhilePerforming) {
  state_.wish = SeveralPcsState::Wish::remove_pc;
  tend(true);
  EXPECT_FALSE(state_.is_removing);
  EXPECT_EQ(state_.wish, SeveralPcsState::Wish::none) << "nor later";
  EXPECT_EQ(list().peers.size(), 2U);
}

// Such a node cannot take the new key.
TEST_F(DeskOfSeveralPcsTest, CutsOffNoNodeThatTheQuestionHasNotNamed) {
  const auto bus =
      cluster::Bus::connect({.url = nats_->url(), .name = "byfile", .key = key_}).value();
  cluster::Cluster cluster(*bus);
  const std::jthread node([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      telemetry::NodeReading reading;
      reading.node = "byfile";
      cluster.publish(reading);
      std::this_thread::sleep_for(50ms);
    }
  });
  remove();
  EXPECT_THAT(state_.error, HasSubstr("byfile did not join by a code"));
  EXPECT_EQ(list().peers.size(), 2U);
  EXPECT_TRUE(takes_former_key());
  state_.asked_others = {"byfile"};
  remove();
  EXPECT_EQ(list().peers.size(), 1U);
}

TEST_F(DeskOfSeveralPcsTest, FinishesARemovalThatWasBrokenOff) {
  {
    const auto book = pairing::PeerBook::open(config_home()).value();
    auto broken = list();
    broken.peers.erase(broken.peers.begin());
    broken.next_key = cluster::NumberedKey{cluster::ShowKey::random(), 2};
    ASSERT_TRUE(book.write(broken));
  }
  EXPECT_TRUE(eventually([&] { return (tend(), !list().next_key); }));
  EXPECT_FALSE(takes_former_key());
}

TEST_F(DeskOfSeveralPcsTest, LetsThePcsInOnceAPersonHasMendedTheirList) {
  const auto file = pairing::PeerBook::file_in(config_home());
  const auto text = read_text_file(file).value();
  ASSERT_TRUE(write_file_atomically(file, "{"));
  auto users = pairing::ServerUsers::of_own_desk(key_).value();
  SeveralPcs window(false, false, &users);
  window.look_after_list(state_, LocalTime::clock::now());
  EXPECT_THAT(users.problem(), HasSubstr("peers.json"));

  ASSERT_TRUE(write_file_atomically(file, text));
  EXPECT_TRUE(eventually([&] {
    window.look_after_list(state_, LocalTime::clock::now());
    return users.problem().empty();
  }));
}

TEST_F(DeskOfSeveralPcsTest, ForgetsTheSilentNodesOfAPcThatWasShutOut) {
  const auto bus =
      cluster::Bus::connect({.url = nats_->url(), .name = "left", .key = key_}).value();
  cluster::Cluster cluster(*bus);
  cluster::NodeReport report;
  report.node = "left";
  report.host = "rack1";
  ASSERT_TRUE(cluster.put_report(report));
  remove();
  ASSERT_THAT(state_.error, IsEmpty());
  auto& left = view_.nodes.emplace_back();
  left.name = "left";
  left.health = model::Health::gone;
  show::Show show;
  show.nodes.emplace_back().name = "left";
  view_.show = std::make_shared<const show::Show>(show);
  tend();
  EXPECT_TRUE(actions_.empty()) << "the show names it";

  view_.show = std::make_shared<const show::Show>();
  tend();
  ASSERT_EQ(actions_.size(), 1U);
  EXPECT_EQ(std::get<session::ForgetNode>(actions_[0]).node, "left");
  tend();
  EXPECT_EQ(actions_.size(), 1U) << "once";
}

}  // namespace
}  // namespace submix::ui
