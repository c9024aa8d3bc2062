// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/key_change.hpp"

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace submix::pairing {
namespace {

/// A desk whose command was killed after its list got the next key.
class BrokenKeyChange : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kNumber = 4;

  BrokenKeyChange() {
    identity_ = cluster::Identity::read_or_make(folder_.path()).value().public_key();
    write_desk(cluster::ShowKey::random());
    PeerList list;
    list.next_key = next_;
    EXPECT_TRUE(book_.write(list).has_value());
  }
  void write_desk(const cluster::ShowKey& key) const {
    cluster::Membership desk{"desk", "nats://127.0.0.1:4222", {}, true};
    desk.desk_key = identity_;
    desk.key_number = kNumber;
    EXPECT_TRUE(cluster::write_membership(folder_.path(), desk, key).has_value());
  }
  void expect_next_key() const {
    const auto desk = cluster::read_membership(folder_.path()).value();
    ASSERT_TRUE(desk);
    EXPECT_EQ(desk->key_number, next_.number);
    EXPECT_EQ(cluster::ShowKey::read(desk->key_file).value(), next_.key);
    EXPECT_FALSE(book_.list().value().next_key) << "it is done";
  }

  const testing::TemporaryFolder folder_;
  const cluster::NumberedKey next_{cluster::ShowKey::random(), kNumber + 1};
  const PeerBook book_ = PeerBook::open(folder_.path()).value();
  cluster::PublicKey identity_{};
};

TEST_F(BrokenKeyChange, IsFinishedFromTheList) {
  ASSERT_TRUE(finish_key_change(book_).has_value());
  expect_next_key();
}

// Otherwise the other PCs would take the desk's next offers for old ones.
TEST_F(BrokenKeyChange, GetsItsNumberAlsoIfTheKeyItselfWasWrittenBefore) {
  write_desk(next_.key);
  ASSERT_TRUE(finish_key_change(book_).has_value());
  expect_next_key();
}

TEST_F(BrokenKeyChange, IsFinishedOnlyOnce) {
  ASSERT_TRUE(finish_key_change(book_).has_value());
  ASSERT_TRUE(finish_key_change(book_).has_value());
  expect_next_key();
}

}  // namespace
}  // namespace submix::pairing
