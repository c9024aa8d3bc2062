// SPDX-License-Identifier: GPL-3.0-or-later
// The README's "A show over several PCs", command by command: no key is copied, and no program is
// told an address but `submix join`.

#include "tests/system/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/cluster/show_key.hpp"
#include "tests/support/eventually.hpp"
#include "tests/system/shows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* kBus = R"(<busconfig>
  <type>system</type>
  <listen>unix:path=/run/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>)";

constexpr const char* kAvahi = R"([server]
use-ipv6=no
[publish]
publish-hinfo=no
publish-workstation=no)";

// Runs its arguments beside an Avahi daemon and a message bus of this PC's own. They end together.
constexpr const char* kWithAvahi = R"(mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon || exit 1
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/bus
dbus-daemon --config-file=$PWD/bus.conf --nofork &
for i in $(seq 100); do [ -S /run/bus ] && break; sleep 0.1; done
avahi-daemon --file $PWD/avahi.conf --no-drop-root --no-chroot --no-rlimits >avahi.log 2>&1 &
for i in $(seq 100); do grep -q 'startup complete' avahi.log && break; sleep 0.1; done
"$@")";

/// Command lines and environments of all processes.
std::string words_of_all_processes() {
  std::string words;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    for (const auto* name : {"cmdline", "environ"}) {
      std::ifstream file(entry.path() / name, std::ios::binary);
      words.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  return words;
}

const std::string kWithoutAvahi = "env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/none ";
const std::string kBesideAvahi = "unshare --mount --pid --fork --kill-child sh with-avahi.sh ";

class PairingOfPcs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcs_.network().is_ready()) GTEST_SKIP() << NetworkNamespaces::kNeeds;
    script("desk", "desk.sh", "mkfifo keys; exec submix desk <>keys");
    script("desk", "enter.sh", "echo >keys");
    for (const auto* pc : {"desk", "rack1"}) {
      script(pc, "bus.conf", kBus);
      script(pc, "avahi.conf", kAvahi);
      script(pc, "with-avahi.sh", kWithAvahi);
    }
    pcs_.start("desk", "desk", start_of_desk() + "sh desk.sh");
    ASSERT_TRUE(pcs_.wait_until_log_says("desk", "code: "));
    EXPECT_THAT(pcs_.log_of("desk"), HasSubstr("or submix join 198.18.0.1   (or 198.18.1.1)\n"));
  }

  [[nodiscard]] virtual std::string start_of_desk() const { return kBesideAvahi; }

  void script(const std::string& pc, const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(pcs_.folder_of(pc) / name, text + "\n").has_value());
  }

  [[nodiscard]] std::vector<std::string> codes(const std::string& program = "desk") const {
    static const std::regex kCode("code: ([0-9]{3} [0-9]{3})");
    const auto log = pcs_.log_of(program);
    std::vector<std::string> codes;
    for (std::sregex_iterator found(log.begin(), log.end(), kCode), end; found != end; ++found)
      codes.push_back((*found)[1]);
    return codes;
  }

  /// Presses Enter at the desk. Returns the code that it then shows.
  std::string next_code() {
    const auto before = codes().size();
    EXPECT_EQ(pcs_.run("desk", "sh enter.sh").status, 0);
    const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
    while (codes().size() == before && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return codes().back();
  }

  /// Types `code` at a PC.
  SeveralPcs::Outcome join(const std::string& pc, const std::string& code) {
    script(pc, "join.sh", "echo '" + code + "' | submix join 198.18.0.1");
    return pcs_.run(pc, "sh join.sh");
  }

  /// How often node "left" has begun.
  [[nodiscard]] int lives_of_left() const {
    constexpr std::string_view kFirstWords = "this CPU packs pixels";
    const auto log = pcs_.log_of("left");
    int lives = 0;
    for (auto at = log.find(kFirstWords); at != std::string::npos;
         at = log.find(kFirstWords, at + 1))
      ++lives;
    return lives;
  }

  std::uint64_t checked_frames() {
    const auto outcome = pcs_.run("rack2", "submix status --json");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    const auto status = Json::parse(outcome.output, nullptr, false);
    return status.is_object() ? status.at("checks").value("checked", std::uint64_t{0}) : 0;
  }

  SeveralPcs pcs_;
};

TEST_F(PairingOfPcs, MakesOneShowOfThreeBarePcs) {
  const auto first = join("rack1", codes().back());
  EXPECT_EQ(first.status, 0) << first.output;
  const auto second = join("rack2", next_code());
  EXPECT_EQ(second.status, 0) << second.output;
  EXPECT_TRUE(pcs_.wait_until_log_says("desk", "has joined"));

  pcs_.start("mix", "desk", "submix-node --name mix");
  pcs_.start("left", "rack1", "submix-node --name left");
  pcs_.start("right", "rack2", "submix-node --name right");
  for (const auto* node : {"mix", "left", "right"})
    ASSERT_TRUE(pcs_.wait_until_log_says(node, "control plane: connected"));
  script("rack2", "my-show.toml", kCheckedDuo);
  const auto applied = pcs_.run("rack2", "submix apply my-show.toml");
  EXPECT_EQ(applied.status, 0) << applied.output;
  const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
  std::uint64_t frames = 0;
  while (frames < 500 && std::chrono::steady_clock::now() < deadline)
    frames = checked_frames();
  EXPECT_GE(frames, 500U);

  const auto key = cluster::ShowKey::read(pcs_.folder_of("rack1") / "submix/show.key");
  ASSERT_TRUE(key.has_value()) << key.error().message;
  EXPECT_EQ(cluster::ShowKey::read(pcs_.folder_of("desk") / "submix/show.key"), *key);
  const auto words = words_of_all_processes();
  EXPECT_THAT(words, Not(HasSubstr(key->text())));
  EXPECT_THAT(words, Not(HasSubstr(key->nats_password())));
  for (const auto* log : {"desk", "mix", "left", "right"}) {
    EXPECT_THAT(pcs_.log_of(log), Not(HasSubstr(key->text()))) << log;
    EXPECT_THAT(pcs_.log_of(log), Not(HasSubstr(key->nats_password()))) << log;
  }
}

constexpr const char* kLeftAlone = R"([show]
name = "alone"
[[node]]
name = "left"
[[submix]]
name = "left"
node = "left"
slot = [{ name = "pattern", plugin = "pattern" }, { name = "end", plugin = "null" }])";

TEST_F(PairingOfPcs, NeedsNoAddressWhereTheDeskShowsItself) {
  script("desk", "show.toml", kLeftAlone);
  script("rack1", "join.sh", "echo '" + codes().back() + "' | submix join");
  ASSERT_EQ(pcs_.run("desk", "submix apply --no-wait show.toml").status, 0);
  ASSERT_EQ(pcs_.run("desk", "submix pause").status, 0);
  SeveralPcs::Outcome joined;
  // A search takes two seconds, and the desk may show itself a little later than its code.
  EXPECT_TRUE(eventually([&] {
    joined = pcs_.run("rack1", kBesideAvahi + "sh join.sh");
    return joined.output.find("no desk shows itself") == std::string::npos;
  }));
  EXPECT_EQ(joined.status, 0) << joined.output;
  EXPECT_THAT(joined.output, HasSubstr(": show alone, paused at 198.18."));
  const auto status = pcs_.run("rack1", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;

  const auto without = pcs_.run("rack2", kWithoutAvahi + "submix join");
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.output, HasSubstr("Avahi daemon"));
  EXPECT_THAT(without.output, HasSubstr("submix join ADDRESS"));
}

TEST_F(PairingOfPcs, KeepsAPcWithoutTheCodeOut) {
  const auto code = codes().back();
  const auto wrong = join("rack1", code == "000 000" ? "111 111" : "000 000");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.output, HasSubstr("another code"));
  EXPECT_TRUE(pcs_.wait_until_log_says("desk", "a wrong code from"));
  EXPECT_THAT(pcs_.log_of("desk"), HasSubstr("(198.18.0.2) (tries left: 2)"));
  EXPECT_FALSE(std::filesystem::exists(pcs_.folder_of("rack1") / "submix/show.key"));
  EXPECT_EQ(join("rack1", code).status, 0);
}

TEST_F(PairingOfPcs, IsForgottenByLeavingAndIsNotDoneTwice) {
  ASSERT_EQ(join("rack1", codes().back()).status, 0);
  const auto twice = join("rack1", next_code());
  EXPECT_EQ(twice.status, 1);
  EXPECT_THAT(twice.output, HasSubstr("`submix leave` first"));
  const auto desk = pcs_.run("rack1", "submix desk");
  EXPECT_EQ(desk.status, 1);
  EXPECT_THAT(desk.output, HasSubstr("has joined"));

  EXPECT_EQ(pcs_.run("rack1", "submix leave").status, 0);
  const auto status = pcs_.run("rack1", "submix status");
  EXPECT_NE(status.status, 0);
  EXPECT_THAT(status.output, HasSubstr("nats://127.0.0.1:4222"));
  EXPECT_EQ(pcs_.run("rack1", "submix leave").status, 1);
}

constexpr const char* kNothingForLeft = R"([show]
name = "nothing"
[[node]]
name = "left")";

TEST_F(PairingOfPcs, TakesANodeThatRunsAlreadyButNoneOutOfAShow) {
  pcs_.start("left", "rack1", "submix-node --name left");
  ASSERT_TRUE(pcs_.wait_until_log_says("left", "no key: this machine only"));
  ASSERT_EQ(join("rack1", codes().back()).status, 0);
  ASSERT_TRUE(pcs_.wait_until_log_says("left", "control plane: connected"));
  script("rack1", "show.toml", kLeftAlone);
  const auto applied = pcs_.run("rack1", "submix apply show.toml");
  ASSERT_EQ(applied.status, 0) << applied.output;

  EXPECT_EQ(pcs_.run("rack1", "submix leave").status, 0);
  ASSERT_TRUE(pcs_.wait_until_log_says("left", "goes there when it runs nothing"));
  std::this_thread::sleep_for(std::chrono::seconds(5));  // longer than an idle node waits
  EXPECT_EQ(lives_of_left(), 2) << "the node has left a show";
  script("desk", "nothing.toml", kNothingForLeft);
  const auto emptied = pcs_.run("desk", "submix apply nothing.toml");
  EXPECT_EQ(emptied.status, 0) << emptied.output;
  EXPECT_TRUE(eventually([this] { return lives_of_left() == 3; }));
}

TEST_F(PairingOfPcs, GoesOnAfterTheDeskHasRestarted) {
  ASSERT_EQ(join("rack1", codes().back()).status, 0);
  pcs_.kill("desk");
  // Its children end a little later.
  ASSERT_TRUE(eventually([this] { return pcs_.run("desk", "ss -Hltn").output.empty(); }));
  pcs_.start("desk-again", "desk", kWithoutAvahi + "submix desk");
  ASSERT_TRUE(pcs_.wait_until_log_says("desk-again", "code: "));
  const auto status = pcs_.run("rack1", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;
}

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

class InvitationOfAPc : public PairingOfPcs {
 protected:
  [[nodiscard]] std::string start_of_desk() const override { return kWithoutAvahi; }

  /// A node without a show, until it shows its code.
  void start_left(const std::string& before = kWithoutAvahi, const std::string& options = "") {
    pcs_.start("left", "rack1", before + "submix-node --name left" + options);
    ASSERT_TRUE(pcs_.wait_until_log_says("left", "code: "));
  }
  /// Types `code` at the desk.
  SeveralPcs::Outcome invite(const std::string& code, const std::string& pc,
                             const std::string& before = "") {
    script("desk", "invite.sh", "echo '" + code + "' | submix invite " + pc);
    return pcs_.run("desk", before + "sh invite.sh");
  }
  [[nodiscard]] bool does_rack1_wait() {
    return pcs_.run("rack1", "ss -Hltn").output.find(":4224") != std::string::npos;
  }
  /// Whether node "left" runs a submix of the desk's show.
  void expect_left_plays() {
    ASSERT_TRUE(pcs_.wait_until_log_says("left", "control plane: connected"));
    script("desk", "show.toml", kLeftAlone);
    const auto applied = pcs_.run("desk", "submix apply show.toml");
    EXPECT_EQ(applied.status, 0) << applied.output;
    EXPECT_TRUE(pcs_.is_running("left"));
  }
};

TEST_F(InvitationOfAPc, BringsANodeWithoutAShowIntoTheDesksByItsCode) {
  start_left();
  const auto code = codes("left").back();
  const auto wrong = invite(code == "000 000" ? "111 111" : "000 000", "198.18.0.2");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.output, HasSubstr("the PC shows another code; type it again"));
  EXPECT_TRUE(pcs_.wait_until_log_says("left", "(tries left: 2)"));
  EXPECT_TRUE(does_rack1_wait());

  const auto invited = invite(code, "198.18.0.2");
  EXPECT_EQ(invited.status, 0) << invited.output;
  EXPECT_THAT(invited.output, HasSubstr("(198.18.0.2) has joined"));
  expect_left_plays();
  EXPECT_FALSE(does_rack1_wait()) << "a PC with a show listens for an invitation";
  EXPECT_THAT(pcs_.run("desk", "submix peers").output, HasSubstr("198.18.0.2"));

  const auto key = cluster::ShowKey::read(pcs_.folder_of("rack1") / "submix/show.key");
  ASSERT_TRUE(key.has_value()) << key.error().message;
  for (const auto* log : {"desk", "left"})
    EXPECT_THAT(pcs_.log_of(log), Not(HasSubstr(key->text()))) << log;
  const auto again = invite(code, "198.18.0.2");
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.output, HasSubstr("no PC waits to be invited at 198.18.0.2:4224"));
}

TEST_F(InvitationOfAPc, NeedsNoAddressWhereThePcShowsItself) {
  start_left(kBesideAvahi);
  SeveralPcs::Outcome invited;
  // As in NeedsNoAddressWhereTheDeskShowsItself.
  EXPECT_TRUE(eventually([&] {
    invited = invite(codes("left").back(), "", kBesideAvahi);
    return invited.output.find("no PC without a show shows itself") == std::string::npos;
  }));
  EXPECT_EQ(invited.status, 0) << invited.output;
  EXPECT_THAT(invited.output, HasSubstr(host_name() + " at 198.18."));
  expect_left_plays();
}

TEST_F(InvitationOfAPc, IsFoundByItsAddressAloneWhereItHidesItself) {
  start_left(kBesideAvahi, " --invitations hidden");
  const auto found = invite(codes("left").back(), host_name(), kBesideAvahi);
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.output, HasSubstr("shows itself on the networks of this PC"));
  EXPECT_EQ(invite(codes("left").back(), "198.18.0.2").status, 0);
  expect_left_plays();
}

TEST_F(InvitationOfAPc, DoesNotKeepThePcFromJoiningByTheDesksCode) {
  start_left();
  ASSERT_EQ(join("rack1", codes().back()).status, 0);
  expect_left_plays();
  EXPECT_TRUE(eventually([this] { return !does_rack1_wait(); }));
}

TEST_F(InvitationOfAPc, IsWaitedForByACommand) {
  pcs_.start("wait", "rack2", kWithoutAvahi + "submix join --wait");
  ASSERT_TRUE(pcs_.wait_until_log_says("wait", "code: "));
  const auto invited = invite(codes("wait").back(), "198.18.0.3");
  EXPECT_EQ(invited.status, 0) << invited.output;
  EXPECT_TRUE(eventually([this] { return !pcs_.is_running("wait"); }));
  EXPECT_EQ(pcs_.run("rack2", "submix status").status, 0);
}

TEST_F(InvitationOfAPc, IsNoBusinessOfANodeThatIsToldSo) {
  pcs_.start("left", "rack1", "submix-node --name left --invitations off");
  ASSERT_TRUE(pcs_.wait_until_log_says("left", "no key: this machine only"));
  std::this_thread::sleep_for(std::chrono::seconds(6));  // longer than a node without a show waits
  EXPECT_FALSE(does_rack1_wait());
}

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

class RightsOfAPc : public TwoJoinedPcs {
 protected:
  void allow(const std::string& address, const std::string& rights) {
    said_ = pcs_.run("desk", "submix peers allow " + name_of(address) + " " + rights);
    EXPECT_EQ(said_.status, 0) << said_.output;
  }
  /// What the NATS server has refused.
  [[nodiscard]] std::string refusals() const {
    std::istringstream log(
        read_text_file(pcs_.folder_of("desk") / "submix/nats/nats-server.log").value_or(""));
    std::string refusals;
    for (std::string line; std::getline(log, line);) {
      if (line.find("Violation") != std::string::npos) refusals += line + "\n";
    }
    return refusals;
  }
  void expect_refusal(const std::string& pc, const std::string& command, const std::string& why) {
    const auto outcome = pcs_.run(pc, command);
    EXPECT_NE(outcome.status, 0) << command;
    EXPECT_THAT(outcome.output, HasSubstr(why)) << command;
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

}  // namespace
}  // namespace submix::testing
