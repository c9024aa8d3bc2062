// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/ephemeral_key.hpp"

#include "tests/wire/sample_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::wire {
namespace {

using ::testing::HasSubstr;

TEST(EphemeralKey, GivesBothEndsTheSameSessionKey) {
  const EphemeralKey sender;
  const EphemeralKey receiver;
  const auto key = sample::key();
  EXPECT_EQ(*sender.session_key(key, receiver.public_key()),
            *receiver.session_key(key, sender.public_key()));
}

TEST(EphemeralKey, IsAnotherOneEachTime) {
  EXPECT_NE(EphemeralKey().public_key(), EphemeralKey().public_key());
}

TEST(EphemeralKey, GivesAnotherSessionKeyForAnotherShowKey) {
  const EphemeralKey sender;
  const EphemeralKey receiver;
  EXPECT_NE(*sender.session_key(sample::key(), receiver.public_key()),
            *receiver.session_key(Key{}, sender.public_key()));
}

TEST(EphemeralKey, RefusesAPublicKeyThatForcesTheResult) {
  const auto session = EphemeralKey().session_key(sample::key(), PublicKey{});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().message, HasSubstr("is no key"));
}

}  // namespace
}  // namespace submix::wire
