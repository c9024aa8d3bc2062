// SPDX-License-Identifier: GPL-3.0-or-later
// PCs without a show and desks that invite them, by real sockets on loopback.

#include "controller/pairing/waiting_pc.hpp"

#include "common/cluster/membership.hpp"
#include "controller/pairing/handshake.hpp"
#include "controller/pairing/join_desk.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace submix::pairing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Its time is passed in, but for a code's own end.
class WaitingPcs : public ::testing::Test {
 protected:
  void SetUp() override {
    pc_ = WaitingPc::open(settings()).value();
    look();
  }
  [[nodiscard]] WaitingPc::Settings settings() const {
    return {.folder = folder_.path(), .listen = {"127.0.0.1"}, .port = 0, .is_shown = false};
  }

  /// What the person at the PC reads now.
  std::string look() {
    std::string text;
    for (const auto& line : pc_->look(now_))
      text += line + "\n";
    const auto code = text.find("code: ");
    if (code != std::string::npos) code_ = PairingCode::parse(text.substr(code + 6, 7)).value();
    return text;
  }
  /// Whether the person reads these words, now or a moment later.
  bool reads(const std::string& words) {
    std::string text;
    return testing::eventually([&] {
      text += look();
      return text.find(words) != std::string::npos;
    });
  }
  [[nodiscard]] Result<PairingEvent> invite(const PairingCode& code) {
    return invite_pc({{"127.0.0.1", pc_->port()}}, code, {"desk", desk_.public_key()},
                     [this](const Joiner& pc, const std::string& address) {
                       admitted_ = pc;
                       reached_at_ = address;
                       return admission_;
                     });
  }
  [[nodiscard]] PairingCode wrong_code() const {
    auto digits = code_.digits();
    digits[0] = digits[0] == '9' ? '0' : static_cast<char>(digits[0] + 1);
    return PairingCode::parse(digits).value();
  }

  const testing::TemporaryFolder folder_;
  const cluster::Identity desk_ = cluster::Identity::random();
  Result<Admission> admission_ = Admission{
      {"desk", "nats://198.18.0.1:4222", cluster::ShowKey::random(), desk_.public_key(), 4},
      "; ok"};
  LocalTime now_{1s};
  PairingCode code_ = PairingCode::random();
  Joiner admitted_;
  std::string reached_at_;
  std::unique_ptr<WaitingPc> pc_;
};

TEST_F(WaitingPcs, PlayForTheDeskThatKnowsTheirCode) {
  EXPECT_FALSE(pc_->has_desk());
  const auto invited = invite(code_);
  ASSERT_TRUE(invited.has_value()) << invited.error().message;
  EXPECT_THAT(to_text(*invited), HasSubstr("(127.0.0.1) has joined; ok"));
  EXPECT_EQ(reached_at_, "127.0.0.1");
  const auto identity = cluster::Identity::read(folder_.path());
  EXPECT_EQ(admitted_.key, identity->public_key());

  const auto membership = cluster::read_membership(folder_.path()).value();
  ASSERT_TRUE(membership.has_value());
  EXPECT_EQ(membership->desk_key, desk_.public_key());
  EXPECT_EQ(membership->key_number, 4U);
  EXPECT_FALSE(membership->is_own);
  EXPECT_EQ(cluster::ShowKey::read(membership->key_file), admission_->invitation.key);
  EXPECT_EQ(membership->pairing_port, cluster::kPairingPort) << "an older desk does not say it";
  EXPECT_TRUE(pc_->has_desk());
  EXPECT_TRUE(reads("plays for desk (127.0.0.1) now"));
}

TEST_F(WaitingPcs, RememberWhereTheDeskAnswersLater) {
  admission_->invitation.pairing_port = 5000;
  ASSERT_TRUE(invite(code_));
  EXPECT_EQ(cluster::read_membership(folder_.path()).value()->pairing_port, 5000);
}

TEST_F(WaitingPcs, GiveThreeTriesInTwoMinutes) {
  const auto first = code_;
  for (int i = 0; i < PairingPort::kTries; ++i)
    EXPECT_THAT(why(invite(wrong_code())), HasSubstr("another code"));
  EXPECT_THAT(look(), HasSubstr("the code is void now"));
  EXPECT_THAT(why(invite(first)), HasSubstr("no code at present"));
  now_ += PairingPort::kLifetime - 1s;
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_THAT(why(invite(first)), HasSubstr("no code at present"));
  now_ += 1s;
  EXPECT_THAT(look(), HasSubstr("code: "));
  EXPECT_FALSE(invite(first).has_value());
  EXPECT_TRUE(invite(code_).has_value());
}

TEST_F(WaitingPcs, AreNotAdmittedWithoutTheirProof) {
  static_cast<void>(invite(wrong_code()));
  EXPECT_THAT(reached_at_, IsEmpty()) << "it is in the desk's list";
}

TEST_F(WaitingPcs, ShowAnotherCodeAfterAnInvitationThatWasNotFinished) {
  admission_ = fail("the list cannot be written");
  EXPECT_THAT(why(invite(code_)), HasSubstr("list cannot be written"));
  const auto former = code_;
  EXPECT_TRUE(reads("did not finish"));
  EXPECT_NE(code_, former);
  EXPECT_FALSE(pc_->has_desk());
}

// A person may have typed the desk's code meanwhile.
TEST_F(WaitingPcs, StayWithTheDeskThatTheyHave) {
  const auto key = cluster::ShowKey::random();
  ASSERT_TRUE(cluster::write_membership(folder_.path(),
                                        {"other", "nats://198.18.0.9:4222", {}, false}, key));
  EXPECT_THAT(why(invite(code_)), HasSubstr("cannot write down that it is invited"));
  EXPECT_EQ(cluster::read_membership(folder_.path()).value()->desk, "other");
  EXPECT_TRUE(pc_->has_desk());
  EXPECT_FALSE(WaitingPc::open(settings()).has_value()) << "a PC with a desk never waits";
}

TEST_F(WaitingPcs, SayThatTheyAreNoDesk) {
  const auto joined = join_desk({{"127.0.0.1", pc_->port()}}, code_, {"rack1"});
  EXPECT_THAT(why(joined), HasSubstr("waits to be invited"));
  EXPECT_TRUE(invite(code_).has_value()) << "that was no guess";
}

TEST_F(WaitingPcs, AreMissedWithASentence) {
  const auto missed = invite_pc({{"127.0.0.1", 1}}, code_, {"desk"}, {});
  EXPECT_THAT(why(missed), HasSubstr("no PC waits to be invited at 127.0.0.1:1"));
}

}  // namespace
}  // namespace submix::pairing
