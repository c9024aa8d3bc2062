// SPDX-License-Identifier: GPL-3.0-or-later
// What a desk does with the PCs that have joined it: it shuts one out, and limits what one may do.

#include "tests/system/pairing_of_pcs.hpp"

#include "common/base/host_name.hpp"
#include "common/cluster/show_key.hpp"
#include "tests/support/eventually.hpp"

#include <sstream>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

// Two streams that have nothing to do with each other: one of rack1, one of rack2.
constexpr const char* kTwoStreams = R"([show]
name = "two"
size = [320, 240]
rate = 60
[[node]]
name = "left"
[[node]]
name = "right"
[[node]]
name = "mix"
[[submix]]
name = "left"
node = "left"
slot = [{ name = "pattern", plugin = "pattern" }, { name = "stamp", plugin = "stamp" }, { name = "out", plugin = "stream-out" }]
[[submix]]
name = "right"
node = "right"
slot = [{ name = "pattern", plugin = "pattern" }, { name = "stamp", plugin = "stamp" }, { name = "out", plugin = "stream-out" }]
[[submix]]
name = "a"
node = "mix"
slot = [{ name = "in", plugin = "stream-in" }, { name = "check", plugin = "checker" }, { name = "end", plugin = "null" }]
[[submix]]
name = "b"
node = "mix"
slot = [{ name = "in", plugin = "stream-in" }, { name = "check", plugin = "checker" }, { name = "end", plugin = "null" }]
[[stream]]
name = "left"
from = "left.out"
to = "a.in"
links = 2
[[stream]]
name = "right"
from = "right.out"
to = "b.in"
links = 2
)";

class TwoJoinedPcs : public PairingOfPcs {
 protected:
  // Its NATS server has a process id that the commands of this PC can see.
  [[nodiscard]] std::string start_of_desk() const override { return kWithoutAvahi; }
  void SetUp() override {
    PairingOfPcs::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_EQ(join("rack1", codes().back()).status, 0);
    ASSERT_EQ(join("rack2", next_code()).status, 0);
  }

  [[nodiscard]] std::string key_of(const std::string& pc) const {
    const auto key = cluster::ShowKey::read(pcs_.folder_of(pc) / "submix/show.key");
    return key ? key->text() : "";
  }
  /// The desk's list.
  [[nodiscard]] Json peers_file() const {
    const auto text = read_text_file(pcs_.folder_of("desk") / "submix/peers.json");
    return Json::parse(text.value_or(""), nullptr, false);
  }
  [[nodiscard]] std::string name_of(const std::string& address) const {
    const auto file = peers_file();
    for (const auto& peer : file.at("peers")) {
      if (peer.at("address") == address) return peer.at("name");
    }
    return "nobody";
  }
  /// Whether the desk has a connection to any card of rack1.
  [[nodiscard]] bool has_connection_to_rack1() {
    const auto listed = pcs_.run("desk", "ss -Htn state established").output;
    return listed.find("198.18.0.2:") != std::string::npos ||
           listed.find("198.18.1.2:") != std::string::npos;
  }
  void start_nodes() {
    pcs_.start("mix", "desk", "submix-node --name mix");
    pcs_.start("left", "rack1", "submix-node --name left");
    pcs_.start("right", "rack2", "submix-node --name right");
    for (const auto* node : {"mix", "left", "right"})
      ASSERT_TRUE(pcs_.wait_until_log_says(node, "control plane: connected"));
  }
  /// The ledger's line of the stream "right"; null: there is none yet.
  [[nodiscard]] Json edge_of_right() {
    const auto ledger =
        Json::parse(pcs_.run("desk", "submix ledger --json").output, nullptr, false);
    if (!ledger.is_object()) return {};
    for (const auto& edge : ledger.at("edges")) {
      if (edge.at("edge") == "right") return edge;
    }
    return {};
  }
  [[nodiscard]] std::uint64_t delivered_of_right() {
    const auto edge = edge_of_right();
    return edge.is_object() ? edge.at("delivered").get<std::uint64_t>() : 0;
  }
  /// Whether `submix peers` says that the PC's programs are connected.
  [[nodiscard]] bool is_connected(const std::string& name) {
    std::istringstream lines(pcs_.run("desk", "submix peers --json").output);
    for (std::string line; std::getline(lines, line);) {
      const auto peer = Json::parse(line, nullptr, false);
      if (peer.is_object() && peer.at("name") == name) return peer.at("connected") == true;
    }
    return false;
  }
};

class RemovalOfAPc : public TwoJoinedPcs {};

TEST_F(RemovalOfAPc, CutsItOffWhileTheOthersLoseNoFrame) {
  start_nodes();
  script("desk", "two.toml", kTwoStreams);
  ASSERT_EQ(pcs_.run("desk", "submix apply two.toml").status, 0);
  ASSERT_TRUE(eventually([this] { return delivered_of_right() > 60; }));
  const auto rack1 = name_of("198.18.0.2");
  EXPECT_TRUE(is_connected(rack1));
  const auto former_key = key_of("desk");
  ASSERT_EQ(key_of("rack2"), former_key);
  ASSERT_TRUE(has_connection_to_rack1());

  const auto begin = std::chrono::steady_clock::now();
  const auto removed = pcs_.run("desk", "submix peers remove " + rack1);
  EXPECT_EQ(removed.status, 0) << removed.output;
  EXPECT_THAT(removed.output, HasSubstr(rack1 + " (198.18.0.2) is shut out"));
  EXPECT_THAT(removed.output, Not(HasSubstr("no answer in time")));
  EXPECT_TRUE(eventually([this] { return !has_connection_to_rack1(); }));
  const std::chrono::duration<double> out = std::chrono::steady_clock::now() - begin;
  RecordProperty("out_after_ms", static_cast<int>(out.count() * 1000));
  EXPECT_LT(out.count(), 3.0);  // two, on a machine with nothing else to do

  const auto before = delivered_of_right();
  EXPECT_TRUE(eventually([&] { return delivered_of_right() > before + 60; }));
  const auto edge = edge_of_right();
  for (const auto* gap : {"lost_in_gap", "lost_with_epoch", "skipped_latest", "skipped_detached"})
    EXPECT_EQ(edge.at(gap), 0) << edge.dump();
  const auto status = pcs_.run("rack2", "submix status --json");
  const auto checks = Json::parse(status.output, nullptr, false).at("checks");
  for (const auto* fault : {"lost", "reordered", "torn", "duplicated", "held"})
    EXPECT_EQ(checks.at(fault), 0) << checks.dump();
  for (const auto* node : {"mix", "right"}) {
    EXPECT_THAT(pcs_.log_of(node), HasSubstr("the show has a new key")) << node;
    EXPECT_THAT(pcs_.log_of(node), Not(HasSubstr("another desk"))) << node;
    EXPECT_TRUE(pcs_.is_running(node));
  }
  EXPECT_NE(key_of("desk"), former_key);
  EXPECT_EQ(key_of("rack2"), key_of("desk"));
  EXPECT_EQ(key_of("rack1"), former_key);
  EXPECT_THAT(removed.output, HasSubstr("left stays in the list of nodes")) << "the show names it";
  EXPECT_THAT(pcs_.run("rack1", "submix status").output, HasSubstr("another key"));
  const auto twice = pcs_.run("desk", "submix peers remove " + rack1);
  EXPECT_EQ(twice.status, 1);
  EXPECT_THAT(twice.output, HasSubstr("has joined by code"));

  // It may come back by a code, and its node needs no restart.
  ASSERT_EQ(pcs_.run("rack1", "submix leave").status, 0);
  ASSERT_EQ(join("rack1", next_code()).status, 0);
  EXPECT_TRUE(eventually([&] { return is_connected(name_of("198.18.0.2")); }));
  EXPECT_TRUE(eventually([this] { return has_connection_to_rack1(); }));
  const auto words = words_of_all_processes();
  EXPECT_THAT(words, Not(HasSubstr(key_of("desk"))));
  for (const auto* log : {"desk", "mix", "left", "right"})
    EXPECT_THAT(pcs_.log_of(log), Not(HasSubstr(key_of("desk")))) << log;
}

TEST_F(RemovalOfAPc, IsMadeGoodByPcsThatHungOrWereOff) {
  pcs_.start("right", "rack2", "submix-node --name right");
  ASSERT_TRUE(pcs_.wait_until_log_says("right", "control plane: connected"));
  pcs_.freeze("right");
  EXPECT_EQ(pcs_.run("desk", "submix peers remove " + name_of("198.18.0.2")).status, 0);
  EXPECT_NE(key_of("rack2"), key_of("desk"));
  pcs_.thaw("right");
  EXPECT_TRUE(pcs_.wait_until_log_says("right", "the show has a new key"));
  EXPECT_TRUE(eventually([this] { return key_of("rack2") == key_of("desk"); }));
  pcs_.kill("right");

  // No program of rack2 runs now.
  ASSERT_EQ(join("rack1", next_code()).status, 1);
  ASSERT_EQ(pcs_.run("rack1", "submix leave").status, 0);
  ASSERT_EQ(join("rack1", codes().back()).status, 0);
  EXPECT_EQ(pcs_.run("desk", "submix peers remove " + name_of("198.18.0.2")).status, 0);
  EXPECT_NE(key_of("rack2"), key_of("desk"));
  const auto status = pcs_.run("rack2", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;
  EXPECT_EQ(key_of("rack2"), key_of("desk"));
}

TEST_F(RemovalOfAPc, IsFinishedByTheDeskWhenTheCommandWasKilled) {
  auto list = peers_file();
  auto& peers = list.at("peers");
  peers.erase(peers.begin());
  const auto next = cluster::ShowKey::random();
  list["next_key"] = next.text();
  list["next_number"] = 2;
  ASSERT_TRUE(
      write_file_atomically(pcs_.folder_of("desk") / "submix/peers.json", list.dump(), 0600));
  EXPECT_TRUE(eventually([this] { return !peers_file().contains("next_key"); }));
  EXPECT_EQ(key_of("desk"), next.text());
  const auto status = pcs_.run("rack2", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;
  EXPECT_EQ(key_of("rack2"), next.text());
  EXPECT_NE(pcs_.run("rack1", "submix status").status, 0);
  EXPECT_NE(key_of("rack1"), next.text());
}

TEST_F(RemovalOfAPc, IsRefusedWhereItCannotBeMeant) {
  const auto refusal = [this](const std::string& pc, const std::string& words) {
    const auto outcome = pcs_.run(pc, "submix peers " + words);
    EXPECT_EQ(outcome.status, 1) << words;
    return outcome.output;
  };
  const auto key = key_of("desk");
  EXPECT_THAT(refusal("desk", "remove nobody"), HasSubstr("no PC \"nobody\" has joined by code"));
  EXPECT_THAT(refusal("desk", "remove " + host_name()), HasSubstr("is this desk itself"));
  EXPECT_THAT(refusal("rack1", "remove rack2"), HasSubstr("run submix peers there"));
  EXPECT_THAT(refusal("rack1", ""), HasSubstr("run submix peers there"));
  EXPECT_THAT(refusal("desk", "--key submix/show.key"), HasSubstr("has no identity"));

  // A node whose key came by file would be cut off, too.
  script("desk", "node.sh",
         "exec submix-node --name byfile --nats nats://127.0.0.1:4222 --key file.key");
  std::filesystem::copy_file(pcs_.folder_of("desk") / "submix/show.key",
                             pcs_.folder_of("desk") / "file.key");
  pcs_.start("byfile", "desk", "sh node.sh");
  ASSERT_TRUE(pcs_.wait_until_log_says("byfile", "control plane: connected"));
  const auto rack1 = name_of("198.18.0.2");
  EXPECT_TRUE(eventually([&] {
    return pcs_.run("desk", "submix peers").output.find("by an older Submix: byfile") !=
           std::string::npos;
  }));
  EXPECT_THAT(refusal("desk", "remove " + rack1), HasSubstr("say --yes"));
  EXPECT_EQ(key_of("desk"), key) << "a refusal changes nothing";
  pcs_.start("left", "rack1", "submix-node --name left");
  ASSERT_TRUE(pcs_.wait_until_log_says("left", "control plane: connected"));
  EXPECT_TRUE(eventually([&] { return is_connected(rack1); }));
  EXPECT_EQ(pcs_.run("desk", "submix peers remove --yes " + rack1).status, 0);
  EXPECT_NE(key_of("desk"), key);
  EXPECT_THAT(pcs_.run("desk", "submix status --json").output, Not(HasSubstr("\"left\"")))
      << "no list has its node any more";
}

class PairingAtAnotherPort : public PairingOfPcs {
 protected:
  [[nodiscard]] std::string start_of_desk() const override { return kWithoutAvahi; }
  [[nodiscard]] std::string options_of_desk() const override { return " --pairing-port 5000"; }

  [[nodiscard]] std::string key_of(const std::string& pc) const {
    return read_text_file(pcs_.folder_of(pc) / "submix/show.key").value_or("");
  }
};

TEST_F(PairingAtAnotherPort, IsRememberedByPcsThatWereInvitedAndByTheDesk) {
  pcs_.start("wait", "rack1", kWithoutAvahi + "submix join --wait");
  ASSERT_TRUE(pcs_.wait_until_log_says("wait", "code: "));
  script("desk", "invite.sh", "echo '" + codes("wait").back() + "' | submix invite 198.18.0.2");
  ASSERT_EQ(pcs_.run("desk", "sh invite.sh").status, 0);
  script("rack2", "join.sh", "echo '" + codes().back() + "' | submix join 198.18.0.1:5000");
  ASSERT_EQ(pcs_.run("rack2", "sh join.sh").status, 0);

  // No program of rack1 hears of the new key.
  const auto removed = pcs_.run("desk", "submix peers remove " + host_name() + "-3");
  ASSERT_EQ(removed.status, 0) << removed.output;
  ASSERT_NE(key_of("rack1"), key_of("desk"));
  const auto status = pcs_.run("rack1", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;
  EXPECT_EQ(key_of("rack1"), key_of("desk"));

  write_desk_script("");
  restart_desk("desk-again");
  EXPECT_THAT(pcs_.log_of("desk-again"), HasSubstr("or submix join 198.18.0.1:5000"));
}

class RightsOfAPc : public TwoJoinedPcs {
 protected:
  void allow(const std::string& address, const std::string& rights) {
    said_ = pcs_.run("desk", "submix peers allow " + name_of(address) + " " + rights);
    EXPECT_EQ(said_.status, 0) << said_.output;
  }
  /// What the NATS server has refused.
  [[nodiscard]] std::string refusals(const std::string& word = "Violation") const {
    std::istringstream log(
        read_text_file(pcs_.folder_of("desk") / "submix/nats/nats-server.log").value_or(""));
    std::string refusals;
    for (std::string line; std::getline(log, line);) {
      if (line.find(word) != std::string::npos) refusals += line + "\n";
    }
    return refusals;
  }
  void expect_refusal(const std::string& pc, const std::string& command, const std::string& why) {
    const auto outcome = pcs_.run(pc, command);
    EXPECT_NE(outcome.status, 0) << command;
    EXPECT_THAT(outcome.output, HasSubstr(why)) << command;
  }

  [[nodiscard]] std::filesystem::path list_of_desk() const {
    return pcs_.folder_of("desk") / "submix/peers.json";
  }

  SeveralPcs::Outcome said_;
};

TEST_F(RightsOfAPc, LetItRenderWithoutAChangeOfTheShow) {
  start_nodes();
  script("desk", "two.toml", kTwoStreams);
  ASSERT_EQ(pcs_.run("desk", "submix apply two.toml").status, 0);
  ASSERT_TRUE(eventually([this] { return delivered_of_right() > 60; }));
  allow("198.18.0.3", "render");
  EXPECT_THAT(said_.output, HasSubstr("right"));
  EXPECT_TRUE(eventually([this] { return is_connected(name_of("198.18.0.3")); }));

  const auto before = delivered_of_right();
  EXPECT_TRUE(eventually([&] { return delivered_of_right() > before + 60; }));
  EXPECT_EQ(pcs_.run("rack2", "submix snapshot right.stamp -o picture.png").status, 0);
  EXPECT_EQ(refusals(), "") << "what a node does is allowed";
  constexpr const char* kWhy = "may only run the nodes that its desk knows";
  expect_refusal("rack2", "submix pause", kWhy);
  script("rack2", "show.toml", kLeftAlone);
  expect_refusal("rack2", "submix apply show.toml", kWhy);
  pcs_.start("other", "rack2", "submix-node --name other");
  EXPECT_TRUE(pcs_.wait_until_log_says("other", kWhy));
  EXPECT_THAT(pcs_.run("desk", "submix status --json").output, Not(HasSubstr("\"other\"")));

  const auto edge = edge_of_right();
  for (const auto* gap : {"lost_in_gap", "lost_with_epoch", "skipped_latest", "skipped_detached"})
    EXPECT_EQ(edge.at(gap), 0) << edge.dump();
  pcs_.kill("right");
  pcs_.start("right", "rack2", "submix-node --name right");
  EXPECT_TRUE(eventually([&] { return delivered_of_right() > before + 60; }));
}

TEST_F(RightsOfAPc, LetItWatchAndAreGivenBack) {
  start_nodes();
  script("desk", "two.toml", kTwoStreams);
  ASSERT_EQ(pcs_.run("desk", "submix apply two.toml").status, 0);
  ASSERT_TRUE(eventually([this] { return delivered_of_right() > 60; }));
  expect_refusal("desk", "submix peers allow " + name_of("198.18.0.3") + " watch",
                 "move that to another PC first");
  script("desk", "left.toml", kLeftAlone);
  ASSERT_EQ(pcs_.run("desk", "submix apply left.toml").status, 0);

  allow("198.18.0.3", "watch");
  constexpr const char* kWhy = "may only watch the show; its desk decides that";
  expect_refusal("rack2", "submix pause", kWhy);
  EXPECT_EQ(pcs_.run("rack2", "submix snapshot left.pattern -o picture.png").status, 0);
  EXPECT_THAT(pcs_.run("rack2", "submix status").output, HasSubstr("left"));
  EXPECT_TRUE(pcs_.wait_until_log_says("right", kWhy)) << "its own node is not heard";
  EXPECT_EQ(pcs_.run("desk", "submix pause").status, 0) << "the desk may do everything";
  EXPECT_EQ(pcs_.run("rack1", "submix resume").status, 0) << "so may the other PC";

  // Nor does it get in by the show's key, which it has.
  std::filesystem::copy_file(pcs_.folder_of("rack2") / "submix/show.key",
                             pcs_.folder_of("rack2") / "copy.key");
  expect_refusal("rack2", "submix status --nats nats://198.18.0.1:4222 --key copy.key",
                 "another key");
  allow("198.18.0.3", "everything");
  EXPECT_EQ(pcs_.run("rack2", "submix pause").status, 0);
  EXPECT_TRUE(eventually([this] { return is_connected(name_of("198.18.0.3")); }));
}

TEST_F(RightsOfAPc, AreKeptByADeskThatCannotReadItsList) {
  start_nodes();
  script("desk", "two.toml", kTwoStreams);
  ASSERT_EQ(pcs_.run("desk", "submix apply two.toml").status, 0);
  ASSERT_TRUE(eventually([this] { return delivered_of_right() > 60; }));
  allow("198.18.0.3", "render");
  std::filesystem::copy_file(pcs_.folder_of("rack2") / "submix/show.key",
                             pcs_.folder_of("rack2") / "copy.key");
  const auto list = read_text_file(list_of_desk()).value();
  ASSERT_TRUE(write_file_atomically(list_of_desk(), list.substr(0, list.size() / 2), 0600));
  restart_desk("desk-again");

  EXPECT_THAT(pcs_.log_of("desk-again"), HasSubstr("submix/peers.json: line"));
  EXPECT_THAT(pcs_.log_of("desk-again"), HasSubstr("until then only programs of this PC get in"));
  EXPECT_EQ(pcs_.run("desk", "submix status").status, 0);
  expect_refusal("rack1", "submix status", "another key");
  expect_refusal("rack2", "submix status --nats nats://198.18.0.1:4222 --key copy.key",
                 "another key");
  const auto before = delivered_of_right();
  EXPECT_TRUE(eventually([&] { return delivered_of_right() > before + 60; })) << "the show goes on";

  ASSERT_TRUE(write_file_atomically(list_of_desk(), list, 0600));
  EXPECT_TRUE(pcs_.wait_until_log_says("desk-again", "can be read again"));
  EXPECT_TRUE(eventually([this] { return pcs_.run("rack1", "submix status").status == 0; }));
  EXPECT_EQ(pcs_.run("rack2", "submix status").status, 0);
  expect_refusal("rack2", "submix pause", "may only run the nodes that its desk knows");
  EXPECT_TRUE(eventually([this] { return is_connected(name_of("198.18.0.3")); }));
}

TEST_F(RightsOfAPc, EndWithAListThatAPersonMovesAway) {
  allow("198.18.0.3", "watch");
  ASSERT_TRUE(write_file_atomically(list_of_desk(), "{", 0600));
  restart_desk("desk-again");
  EXPECT_NE(pcs_.run("rack2", "submix status").status, 0);
  std::filesystem::rename(list_of_desk(), pcs_.folder_of("desk") / "peers.bad");
  EXPECT_TRUE(eventually([this] { return pcs_.run("rack2", "submix pause").status == 0; }));
}

TEST_F(RightsOfAPc, CostTheDeskNoRefusedLogins) {
  allow("198.18.0.3", "watch");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto before = refusals("authentication error");
  std::this_thread::sleep_for(std::chrono::seconds(5));  // the desk looks at its server twice
  EXPECT_EQ(refusals("authentication error"), before);
}

}  // namespace
}  // namespace submix::testing
