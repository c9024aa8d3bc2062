// SPDX-License-Identifier: GPL-3.0-or-later
// The README's "A show over several PCs", command by command: no key is copied, and no program is
// told an address but `submix join`.

#include "tests/system/pairing_of_pcs.hpp"

#include "common/base/host_name.hpp"
#include "common/cluster/show_key.hpp"
#include "tests/support/eventually.hpp"
#include "tests/system/shows.hpp"

namespace submix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(PairingOfPcs, MakesOneShowOfThreeBarePcs) {
  EXPECT_THAT(pcs_.log_of("desk"), HasSubstr("or submix join 198.18.0.1   (or 198.18.1.1)\n"));
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
  restart_desk("desk-again");
  const auto status = pcs_.run("rack1", "submix status");
  EXPECT_EQ(status.status, 0) << status.output;
}

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

}  // namespace
}  // namespace submix::testing
