// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/followed_key.hpp"

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace submix::cluster {
namespace {

using Keys = FollowedKey::Keys;

/// A PC that has joined; no desk answers at its port.
class FollowedKeyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    membership_.desk_key = desk_.public_key();
    membership_.pairing_port = 1;
    membership_.key_number = 5;
    ASSERT_TRUE(write_membership(folder_.path(), membership_, first_).has_value());
    followed_ = FollowedKey::of(folder_ / "show.key", "submix-node left");
    ASSERT_NE(followed_, nullptr);
    followed_->watch([this](const Keys& keys) { heard_.push_back(keys); });
  }
  [[nodiscard]] std::string offer(const ShowKey& key, std::uint64_t number) const {
    return write_offer(desk_, {pc_.public_key()}, {key, number});
  }

  const testing::TemporaryFolder folder_;
  const Identity desk_ = Identity::random();
  const Identity pc_ = Identity::read_or_make(folder_.path()).value();
  const ShowKey first_ = ShowKey::random();
  const ShowKey second_ = ShowKey::random();
  Membership membership_{"desk", "nats://127.0.0.1:4222", {}, false};
  std::vector<Keys> heard_;
  std::shared_ptr<FollowedKey> followed_;
};

TEST_F(FollowedKeyTest, OffersAKeyUntilAServerProvesIt) {
  const auto reply = read_reply(followed_->take_offer(offer(second_, 6)), desk_);
  EXPECT_EQ(reply, (KeyReply{pc_.public_key(), "submix-node left", 6}));
  EXPECT_EQ(followed_->keys(), (Keys{first_, second_}));
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), first_);

  followed_->note_proven(first_);
  EXPECT_EQ(followed_->keys(), (Keys{first_, second_})) << "the server has the old key still";
  followed_->note_proven(second_);
  EXPECT_EQ(followed_->keys(), (Keys{second_, {}}));
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), second_);
  EXPECT_EQ(read_membership(folder_.path()).value()->key_number, 6U);
  EXPECT_EQ(heard_, (std::vector<Keys>{{first_, {}}, {first_, second_}, {second_, {}}}));
}

TEST_F(FollowedKeyTest, TakesNoOldOfferAgain) {
  const auto old = offer(second_, 6);
  ASSERT_FALSE(followed_->take_offer(old).empty());
  followed_->note_proven(second_);
  const auto third = ShowKey::random();
  ASSERT_FALSE(followed_->take_offer(offer(third, 7)).empty());
  followed_->note_proven(third);
  EXPECT_TRUE(followed_->take_offer(old).empty());
  EXPECT_EQ(followed_->keys(), (Keys{third, {}}));
  // After a restart, too.
  const auto again = FollowedKey::of(folder_ / "show.key", "submix-node left");
  EXPECT_TRUE(again->take_offer(old).empty());
  EXPECT_EQ(again->keys(), (Keys{third, {}}));
}

TEST_F(FollowedKeyTest, TakesNoOfferOfAStranger) {
  const auto stranger = Identity::random();
  EXPECT_TRUE(
      followed_->take_offer(write_offer(stranger, {pc_.public_key()}, {second_, 9})).empty());
  EXPECT_TRUE(followed_->take_offer("").empty());
  EXPECT_EQ(followed_->keys(), (Keys{first_, {}}));
}

// The desk asks so who is there.
TEST_F(FollowedKeyTest, RepliesToAnOfferOfThePresentKey) {
  EXPECT_FALSE(followed_->take_offer(offer(first_, 5)).empty());
  EXPECT_TRUE(followed_->take_offer(offer(second_, 5)).empty());
  EXPECT_EQ(followed_->keys(), (Keys{first_, {}}));
}

TEST_F(FollowedKeyTest, FindsTheKeyThatAnotherProgramOfThisPcHasStored) {
  EXPECT_FALSE(followed_->look_for_newer());
  ASSERT_TRUE(store_key(folder_.path(), desk_.public_key(), {second_, 6}).has_value());
  EXPECT_TRUE(followed_->look_for_newer());
  EXPECT_EQ(followed_->keys(), (Keys{first_, second_}));
  EXPECT_FALSE(followed_->look_for_newer());
}

TEST_F(FollowedKeyTest, IsNoneWithoutAnIdentityOrADesk) {
  EXPECT_EQ(FollowedKey::of(folder_ / "other.key", ""), nullptr);
  std::filesystem::remove(Identity::file_in(folder_.path()));
  EXPECT_EQ(FollowedKey::of(folder_ / "show.key", ""), nullptr);
  const testing::TemporaryFolder by_file;
  ASSERT_TRUE(first_.write_new(by_file / "show.key").has_value());
  EXPECT_EQ(FollowedKey::of(by_file / "show.key", ""), nullptr);
}

}  // namespace
}  // namespace submix::cluster
