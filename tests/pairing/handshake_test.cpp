// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/handshake.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace submix::pairing {
namespace {

using ::testing::HasSubstr;

const auto kCode = PairingCode::parse("123456").value();
const auto kOtherCode = PairingCode::parse("123457").value();

const auto kPcKey = cluster::Identity::random().public_key();

Invitation invitation() {
  return {"desk", "nats://198.18.0.1:4222,nats://198.18.1.1:4222", cluster::ShowKey::random(),
          cluster::Identity::random().public_key(), 3};
}

/// A TypingEnd and a ShowingEnd, and the messages between them.
struct Pairing {
  explicit Pairing(const PairingCode& typed = kCode)
      : joining(typed, {"rack1", kPcKey}), desk(kCode) {}

  TypingEnd joining;
  ShowingEnd desk;
  Bytes hello = joining.hello();
  Bytes welcome = desk.welcome_for(hello).value();
  Bytes proof = joining.proof_for(welcome).value();
};

TEST(Handshake, BringsTheInvitationToThePcThatKnowsTheCode) {
  Pairing pairing;
  EXPECT_EQ(pairing.desk.pc(), "rack1");
  ASSERT_TRUE(pairing.desk.check_proof(pairing.proof).has_value());
  EXPECT_EQ(pairing.desk.public_key(), kPcKey);
  const auto sent = invitation();
  EXPECT_EQ(pairing.joining.read_invitation(pairing.desk.seal(sent)), sent);
}

TEST(Handshake, RefusesAnotherCode) {
  Pairing pairing(kOtherCode);
  EXPECT_EQ(error_of(pairing.desk.check_proof(pairing.proof)), Refusal::wrong_code);
  EXPECT_THAT(why(pairing.joining.read_invitation(encode(Refusal::wrong_code))),
              HasSubstr("another code"));
}

// Whoever plays the desk without its code cannot make up an invitation.
TEST(Handshake, RefusesTheInvitationOfADeskWithoutTheCode) {
  Pairing pairing(kOtherCode);
  static_cast<void>(pairing.desk.check_proof(pairing.proof));
  EXPECT_THAT(why(pairing.joining.read_invitation(pairing.desk.seal(invitation()))),
              HasSubstr("does not come from the desk"));
}

TEST(Handshake, RefusesAChangedByteAnywhere) {
  constexpr std::size_t kStep = 13;
  for (std::size_t place = 0; place < Pairing().proof.size(); place += kStep) {
    Pairing pairing;
    pairing.proof[place] ^= 1U;
    EXPECT_FALSE(pairing.desk.check_proof(pairing.proof).has_value()) << place;
  }
  for (std::size_t place = 0; place < Pairing().welcome.size(); place += kStep) {
    TypingEnd joining(kCode, {"rack1"});
    ShowingEnd desk(kCode);
    auto welcome = desk.welcome_for(joining.hello()).value();
    welcome[place] ^= 1U;
    const auto proof = joining.proof_for(welcome);
    EXPECT_FALSE(proof && desk.check_proof(*proof)) << place;
  }
}

// Somebody in between would otherwise get what the desk seals for the PC.
TEST(Handshake, RefusesAnotherPublicKey) {
  Pairing pairing;
  const auto other = cluster::Identity::random().public_key();
  std::ranges::copy(other, pairing.proof.begin() + kNumberBytes);
  EXPECT_EQ(error_of(pairing.desk.check_proof(pairing.proof)), Refusal::wrong_code);
  EXPECT_EQ(pairing.desk.public_key(), cluster::PublicKey{});
}

TEST(Handshake, RefusesTheFormerVersion) {
  auto hello = TypingEnd(kCode, {"rack1"}).hello();
  hello[11] = 1;
  EXPECT_EQ(error_of(ShowingEnd(kCode).welcome_for(hello)), Refusal::other_version);
}

TEST(Handshake, RefusesAChangedName) {
  TypingEnd joining(kCode, {"rack1"});
  ShowingEnd desk(kCode);
  auto hello = joining.hello();
  constexpr std::size_t kFirstLetter = 11 + 1 + 1;
  ASSERT_EQ(hello[kFirstLetter], 'r');
  hello[kFirstLetter] = 'x';
  const auto proof = joining.proof_for(desk.welcome_for(hello).value()).value();
  EXPECT_EQ(error_of(desk.check_proof(proof)), Refusal::wrong_code);
}

// A number that is a multiple of the group's prime would make the secret known.
TEST(Handshake, RefusesTheNumberZero) {
  Pairing pairing;
  std::fill_n(pairing.proof.begin(), kNumberBytes, std::uint8_t{0});
  EXPECT_EQ(error_of(pairing.desk.check_proof(pairing.proof)), Refusal::not_valid);
  std::fill_n(pairing.welcome.begin() + 1 + kSaltBytes, kNumberBytes, std::uint8_t{0});
  EXPECT_FALSE(TypingEnd(kCode, {"rack1"}).proof_for(pairing.welcome).has_value());
}

TEST(Handshake, RefusesAnOldProofAndAnOldInvitation) {
  Pairing before;
  ASSERT_TRUE(before.desk.check_proof(before.proof).has_value());
  Pairing now;
  EXPECT_FALSE(now.desk.check_proof(before.proof).has_value());
  EXPECT_FALSE(now.joining.read_invitation(before.desk.seal(invitation())).has_value());
}

TEST(Handshake, SaysWhichVersionIsMissing) {
  TypingEnd joining(kCode, {"rack1"});
  auto hello = joining.hello();
  hello[11] = kVersion + 1;
  EXPECT_EQ(error_of(ShowingEnd(kCode).welcome_for(hello)), Refusal::other_version);
  EXPECT_THAT(why(joining.proof_for(encode(Refusal::other_version))),
              HasSubstr("same Submix on both PCs"));
}

TEST(Handshake, RefusesGarbageAndEveryCut) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    Bytes bytes(random() % kMessageBytesMax);
    for (auto& byte : bytes)
      byte = static_cast<std::uint8_t>(random());
    EXPECT_FALSE(ShowingEnd(kCode).welcome_for(bytes).has_value());
  }
  const Pairing intact;
  for (std::size_t count = 0; count < intact.hello.size(); ++count) {
    const Bytes cut(intact.hello.begin(),
                    intact.hello.begin() + static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(error_of(ShowingEnd(kCode).welcome_for(cut)), Refusal::not_valid) << count;
  }
}

const Joiner kWaitingPc{"rack2", cluster::Identity::random().public_key()};

/// The same ends with their roles swapped: the desk's person types the code of the PC.
struct Inviting {
  explicit Inviting(const PairingCode& typed = kCode)
      : desk(typed, {"desk", kPcKey}, Purpose::invite) {}

  TypingEnd desk;
  ShowingEnd pc{kCode, Purpose::invite};
  Bytes hello = desk.hello();
  Bytes welcome = pc.welcome_for(hello).value();
  Bytes proof = desk.proof_for(welcome).value();
};

/// The messages after the proof.
struct Invited : Inviting {
  const bool is_proven = pc.check_proof(proof).has_value();
  const Invitation sent = pairing::invitation();
  Bytes introduction = pc.seal(kWaitingPc);
  Bytes invitation = desk.seal(sent);
  Bytes receipt = pc.seal_receipt();
};

TEST(Inviting, BringsTheDesksInvitationToThePcWhoseCodeWasTyped) {
  Inviting pair;
  EXPECT_EQ(pair.pc.pc(), "desk");
  ASSERT_TRUE(pair.pc.check_proof(pair.proof).has_value());
  const auto pc = pair.desk.read_introduction(pair.pc.seal(kWaitingPc)).value();
  EXPECT_EQ(pc.name, kWaitingPc.name);
  EXPECT_EQ(pc.key, kWaitingPc.key);
  const auto sent = invitation();
  EXPECT_EQ(pair.pc.read_invitation(pair.desk.seal(sent)), sent);
  EXPECT_TRUE(pair.desk.read_receipt(pair.pc.seal_receipt()).has_value());
}

TEST(Inviting, RefusesAnotherCodeAtBothEnds) {
  Inviting pair(kOtherCode);
  EXPECT_EQ(error_of(pair.pc.check_proof(pair.proof)), Refusal::wrong_code);
  EXPECT_THAT(why(pair.desk.read_introduction(encode(Refusal::wrong_code))),
              HasSubstr("the PC shows another code"));
  // Whoever plays the PC without its code is not told the show's key.
  EXPECT_THAT(why(pair.desk.read_introduction(pair.pc.seal(kWaitingPc))),
              HasSubstr("does not come from the PC"));
}

TEST(Inviting, RefusesAFlippedBitInEachMessage) {
  const auto is_refused = [](auto&& read, Bytes message) {
    EXPECT_TRUE(read(message)) << "unchanged";
    for (std::size_t place = 0; place < message.size(); ++place) {
      message[place] ^= 4U;
      EXPECT_FALSE(read(message)) << place;
      message[place] ^= 4U;
    }
  };
  const Invited pair;
  is_refused([&](const Bytes& it) { return pair.desk.read_introduction(it).has_value(); },
             pair.introduction);
  is_refused([&](const Bytes& it) { return pair.pc.read_invitation(it).has_value(); },
             pair.invitation);
  is_refused([&](const Bytes& it) { return pair.desk.read_receipt(it).has_value(); }, pair.receipt);
  for (std::size_t place = 0; place < pair.proof.size(); place += 13) {
    Inviting changed;
    changed.proof[place] ^= 4U;
    EXPECT_FALSE(changed.pc.check_proof(changed.proof).has_value()) << place;
  }
}

TEST(Inviting, RefusesMessagesOfAnotherTime) {
  const Invited before;
  Invited now;
  EXPECT_FALSE(now.desk.read_introduction(before.introduction).has_value());
  EXPECT_FALSE(now.pc.read_invitation(before.invitation).has_value());
  EXPECT_FALSE(now.desk.read_receipt(before.receipt).has_value());
  EXPECT_FALSE(now.pc.check_proof(before.proof).has_value());
}

// Somebody in between could otherwise send an end its own message back.
TEST(Inviting, RefusesAMessageInThePlaceOfAnother) {
  const Invited pair;
  ASSERT_TRUE(pair.desk.read_introduction(pair.introduction).has_value());
  EXPECT_FALSE(pair.pc.read_invitation(pair.introduction).has_value());
  EXPECT_FALSE(pair.desk.read_receipt(pair.introduction).has_value());
  EXPECT_FALSE(pair.desk.read_introduction(pair.receipt).has_value());
}

// Else a PC's code, typed at a false desk, would open the true desk, and the other way round.
TEST(Inviting, IsNoJoining) {
  EXPECT_EQ(error_of(ShowingEnd(kCode).welcome_for(Inviting().hello)), Refusal::other_purpose);
  EXPECT_EQ(error_of(ShowingEnd(kCode, Purpose::invite).welcome_for(Pairing().hello)),
            Refusal::other_purpose);
  const TypingEnd joining(kCode, {"rack1"});
  EXPECT_THAT(why(joining.read_invitation(encode(Refusal::other_purpose))),
              HasSubstr("waits to be invited"));
}

TEST(Invitation, IsReadAsItWasWritten) {
  const auto sent = invitation();
  EXPECT_EQ(parse_invitation(to_json(sent)), sent);
}

TEST(Invitation, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_invitation("").has_value());
  EXPECT_FALSE(parse_invitation("[]").has_value());
  EXPECT_THAT(why(parse_invitation("{}")), HasSubstr("names no desk"));
  auto text = to_json(invitation());
  const auto key = text.find("desk_key\":\"") + 11;
  text[key] = 'x';
  EXPECT_THAT(why(parse_invitation(text)), HasSubstr("public key"));
  auto bad = invitation();
  bad.desk = "\x1b[2J";
  EXPECT_FALSE(parse_invitation(to_json(bad)).has_value());
  bad = invitation();
  bad.nats_url = "http://198.18.0.1";
  EXPECT_THAT(why(parse_invitation(to_json(bad))), HasSubstr("address of NATS"));
}

}  // namespace
}  // namespace submix::pairing
