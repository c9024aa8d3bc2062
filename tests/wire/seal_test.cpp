// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/seal.hpp"

#include "tests/support/why.hpp"
#include "tests/wire/sample_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::wire {
namespace {

using sample::Bytes;
using ::testing::HasSubstr;
using Direction = Seal::Direction;

Seal seal(Direction direction, const Key& key = sample::key()) {
  const sample::Handshake handshake;
  return {key, direction, handshake.hello, handshake.welcome};
}

Bytes sealed(Seal& by, const Ack& ack = sample::ack()) {
  auto bytes = sample::encoded(ack);
  by.seal(bytes);
  return bytes;
}

TEST(Signature, IsRightForTheSameKeyRoleAndBytesOnly) {
  const sample::Handshake handshake;
  EXPECT_TRUE(is_signed(sample::key(), kRoleHello, {}, handshake.hello));
  EXPECT_TRUE(is_signed(sample::key(), kRoleWelcome, handshake.hello, handshake.welcome));
  EXPECT_FALSE(is_signed(Key{}, kRoleHello, {}, handshake.hello));
  EXPECT_FALSE(is_signed(sample::key(), kRoleWelcome, {}, handshake.hello));
  EXPECT_FALSE(is_signed(sample::key(), kRoleWelcome, {}, handshake.welcome));
  for (std::size_t i = 0; i < handshake.hello.size(); ++i) {
    auto changed = handshake.hello;
    changed[i] ^= 1;
    EXPECT_FALSE(is_signed(sample::key(), kRoleHello, {}, changed)) << "byte " << i;
  }
}

TEST(Signature, IsNotThereInAMessageThatIsTooShort) {
  EXPECT_FALSE(is_signed(Key{}, kRoleHello, {}, Bytes(31)));
}

TEST(Nonce, IsAnotherOneEachTime) {
  EXPECT_NE(random_nonce(), random_nonce());
}

TEST(Seal, LetsMessagesPassInTheirOrder) {
  auto sender = seal(Direction::sender_to_receiver);
  auto receiver = seal(Direction::sender_to_receiver);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(receiver.check(sealed(sender)));
}

TEST(Seal, RefusesARepeatedAndASkippedMessage) {
  auto sender = seal(Direction::sender_to_receiver);
  auto receiver = seal(Direction::sender_to_receiver);
  const auto first = sealed(sender);
  ASSERT_TRUE(receiver.check(first));
  EXPECT_THAT(why(receiver.check(first)), HasSubstr("message number 0 where 1 is due"));
  static_cast<void>(sealed(sender));
  EXPECT_FALSE(receiver.check(sealed(sender)));
}

TEST(Seal, RefusesAChangeOfAnyByte) {
  auto sender = seal(Direction::sender_to_receiver);
  const auto good = sealed(sender);
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto receiver = seal(Direction::sender_to_receiver);
    auto changed = good;
    changed[i] ^= 0x80;
    EXPECT_FALSE(receiver.check(changed)) << "byte " << i;
  }
}

TEST(Seal, RefusesTheOtherDirectionAndAnotherKey) {
  auto sender = seal(Direction::sender_to_receiver);
  const auto message = sealed(sender);
  EXPECT_FALSE(seal(Direction::receiver_to_sender).check(message));
  EXPECT_FALSE(seal(Direction::sender_to_receiver, Key{}).check(message));
}

}  // namespace
}  // namespace submix::wire
