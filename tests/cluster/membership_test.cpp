// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/membership.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace submix::cluster {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr const char* kUrl = "nats://198.18.0.1:4222,nats://198.18.1.1:4222";

const Membership kDesk{"desk", kUrl, {}, false};

class MembershipTest : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("XDG_CONFIG_HOME", home_.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("XDG_CONFIG_HOME"); }

  const TemporaryFolder home_;
  const fs::path folder_ = home_ / "submix";
  const ShowKey key_ = ShowKey::random();
};

TEST_F(MembershipTest, IsReadAsItWasWrittenAndIsPrivate) {
  const auto written = write_membership(folder_, kDesk, key_);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  const auto read = read_membership().value();
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->desk, "desk");
  EXPECT_EQ(read->nats_url, kUrl);
  EXPECT_FALSE(read->is_own);
  EXPECT_EQ(ShowKey::read(read->key_file), key_);
  for (const auto* file : {"desk.json", "show.key"}) {
    EXPECT_EQ(fs::status(folder_ / file).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
  }
}

TEST_F(MembershipTest, IsNothingByDefault) {
  EXPECT_FALSE(read_membership(folder_).value().has_value());
}

// After `sudo submix join` the folder is root's: each program went to this PC's loopback, and said
// that nothing listens there. A circle of links is out of reach for root, too.
TEST_F(MembershipTest, SaysThatItIsOutOfReach) {
  fs::create_directory_symlink("submix", folder_);
  for (const auto& read : {read_membership(folder_), read_membership()}) {
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().message,
              fmt::format("{}: Too many levels of symbolic links; let this user read it: sudo "
                          "chown -R \"$USER\" {}",
                          (folder_ / "desk.json").string(), folder_.string()));
  }
}

TEST_F(MembershipTest, NamesAFileThatCannotBeReadOnce) {
  fs::create_directories(folder_ / "desk.json");
  const auto read = read_membership(folder_);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message,
            fmt::format("{}: is a folder, not a file; `submix leave`, then join the desk again",
                        (folder_ / "desk.json").string()));
}

TEST_F(MembershipTest, ReplacesNoKeyThatAPersonPutThere) {
  fs::create_directories(folder_);
  const auto other = ShowKey::random();
  ASSERT_TRUE(other.write_new(folder_ / "show.key").has_value());
  const auto written = write_membership(folder_, kDesk, key_);
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(written.error().message, HasSubstr("a person put this key there"));
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), other);
}

TEST_F(MembershipTest, TakesANewKeyOfTheSameDeskOnly) {
  const auto desk = Identity::random().public_key();
  auto membership = kDesk;
  membership.desk_key = desk;
  membership.pairing_port = 5000;
  membership.key_number = 3;
  ASSERT_TRUE(write_membership(folder_, membership, key_).has_value());
  const NumberedKey next{ShowKey::random(), 4};
  EXPECT_FALSE(store_key(folder_, Identity::random().public_key(), next).has_value());
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), key_);

  ASSERT_TRUE(store_key(folder_, desk, next).has_value());
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), next.key);
  const auto read = read_membership().value();
  EXPECT_EQ(read->key_number, 4U);
  EXPECT_EQ(read->desk_key, desk);
  EXPECT_EQ(read->pairing_port, 5000);
  EXPECT_EQ(fs::status(folder_ / "show.key").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(store_key(folder_, desk, {ShowKey::random(), 3}).has_value());
  EXPECT_EQ(ShowKey::read(folder_ / "show.key"), next.key) << "an older key has taken its place";
}

TEST_F(MembershipTest, KeepsTheIdentityOfAPcButNotThatOfADesk) {
  const auto identity = Identity::read_or_make(folder_).value();
  EXPECT_EQ(fs::status(Identity::file_in(folder_)).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_membership(folder_, kDesk, key_).has_value());
  ASSERT_TRUE(remove_membership(folder_).has_value());
  EXPECT_EQ(Identity::read_or_make(folder_).value().public_key(), identity.public_key());
  auto own = kDesk;
  own.is_own = true;
  ASSERT_TRUE(write_membership(folder_, own, key_).has_value());
  ASSERT_TRUE(remove_membership(folder_).has_value());
  EXPECT_FALSE(Identity::read(folder_).has_value());
}

TEST_F(MembershipTest, RefusesAnIdentityThatOthersCanRead) {
  static_cast<void>(Identity::read_or_make(folder_));
  fs::permissions(Identity::file_in(folder_), fs::perms::group_read, fs::perm_options::add);
  EXPECT_THAT(why(Identity::read(folder_)), HasSubstr("chmod 600"));
}

TEST_F(MembershipTest, LeavesTheKeyBehind) {
  ASSERT_TRUE(write_membership(folder_, kDesk, key_).has_value());
  ASSERT_TRUE(remove_membership(folder_).has_value());
  EXPECT_FALSE(read_membership(folder_).value().has_value());
  EXPECT_FALSE(fs::exists(folder_ / "show.key"));
  EXPECT_EQ(ShowKey::read(folder_ / "show.key.old"), key_);
}

TEST_F(MembershipTest, FillsInWhatNobodyNamed) {
  ASSERT_TRUE(write_membership(folder_, kDesk, key_).has_value());
  std::string url;
  fs::path key_file;
  ASSERT_TRUE(use_membership(url, key_file).value().has_value());
  EXPECT_EQ(url, kUrl);
  EXPECT_EQ(key_file, folder_ / "show.key");

  // An address without a key is a person's choice: the key would go to a stranger's server.
  url = "nats://127.0.0.1:4222";
  key_file.clear();
  EXPECT_FALSE(use_membership(url, key_file).value().has_value());
  EXPECT_EQ(url, "nats://127.0.0.1:4222");
  EXPECT_TRUE(key_file.empty());
}

TEST_F(MembershipTest, SaysThatItsKeyIsGone) {
  ASSERT_TRUE(write_membership(folder_, kDesk, key_).has_value());
  fs::remove(folder_ / "show.key");
  const auto read = read_membership();
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("show.key is gone"));
}

TEST_F(MembershipTest, SaysBeforehandWhereItCannotBeWritten) {
  ASSERT_TRUE(write_file_atomically(folder_, "a file").has_value());
  const auto checked = check_place(folder_);
  ASSERT_FALSE(checked.has_value());
  EXPECT_THAT(checked.error().message, HasSubstr(folder_.string()));
}

TEST_F(MembershipTest, SaysWhichFileIsBroken) {
  fs::create_directories(folder_);
  ASSERT_TRUE(write_file_atomically(folder_ / "desk.json", R"({"desk": "desk"})").has_value());
  const auto read = read_membership();
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("desk.json"));
  EXPECT_THAT(read.error().message, HasSubstr("submix leave"));
}

}  // namespace
}  // namespace submix::cluster
