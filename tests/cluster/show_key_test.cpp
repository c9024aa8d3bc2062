// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/show_key.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace submix::cluster {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;

TEST(ShowKey, ComesBackFromItsText) {
  for (int i = 0; i < 100; ++i) {
    const auto key = ShowKey::random();
    EXPECT_EQ(*ShowKey::parse(key.text()), key);
    EXPECT_EQ(*ShowKey::parse(key.text() + "\r\n"), key);
  }
}

TEST(ShowKey, DerivesTheSameFromTheSameAndDifferentFromDifferent) {
  const auto key = *ShowKey::parse("submix-key-aaaaaaaaaaaaaaaaaaaaaaaaaa5t");
  EXPECT_EQ(key.nats_password().size(), 52U);
  EXPECT_EQ(key.nats_password(), ShowKey::parse(key.text())->nats_password());
  EXPECT_NE(key.nats_password(), ShowKey::random().nats_password());
  EXPECT_NE(key.stream_key(), ShowKey::random().stream_key());
  EXPECT_NE(key.stream_key(), ShowKey::StreamKey{});
}

TEST(ShowKey, RefusesASlipOfThePen) {
  const auto text = ShowKey::random().text();
  int refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto wrong = text;
    wrong[i] = wrong[i] == 'q' ? 'z' : 'q';
    refused += ShowKey::parse(wrong) ? 0 : 1;
  }
  // Two check letters: one slip in 1,024 goes unnoticed.
  EXPECT_GE(refused, static_cast<int>(text.size()) - 2);
  for (const std::string_view bad : {"", "submix-key-", "x"})
    EXPECT_FALSE(ShowKey::parse(bad));
  EXPECT_FALSE(ShowKey::parse(text.substr(0, text.size() - 1)));
  EXPECT_FALSE(ShowKey::parse(text + text));
}

// `sudo submix key show /etc/passwd` proposed: chmod 600 /etc/passwd.
TEST(ShowKey, ProposesNothingForAFileThatIsNoKey) {
  const auto key = ShowKey::read("/etc/passwd");
  ASSERT_FALSE(key.has_value());
  EXPECT_THAT(key.error().message,
              AllOf(HasSubstr("/etc/passwd: not a key: "), Not(HasSubstr("chmod"))));
}

TEST(ShowKey, IsReadFromTheFileItWasWrittenTo) {
  const TemporaryFolder folder;
  const auto key = ShowKey::random();
  ASSERT_TRUE(key.write_new(folder / "show.key"));
  EXPECT_EQ(*ShowKey::read(folder / "show.key"), key);
  const auto mode = std::filesystem::status(folder / "show.key").permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(ShowKey, IsNeverWrittenOverAFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "file", "precious"));
  EXPECT_THAT(why(ShowKey::random().write_new(folder / "file")),
              HasSubstr("is there already, and is not overwritten; name another"));
  EXPECT_EQ(*read_text_file(folder / "file"), "precious");
}

TEST(ShowKey, IsRefusedWhenOthersCanReadIt) {
  const TemporaryFolder folder;
  for (const unsigned mode : {0644U, 0640U, 0620U, 0601U}) {
    const auto file = folder / std::to_string(mode);
    ASSERT_TRUE(write_file_atomically(file, ShowKey::random().text()));
    std::filesystem::permissions(file, static_cast<std::filesystem::perms>(mode));
    EXPECT_THAT(why(ShowKey::read(file)),
                AllOf(HasSubstr("lets others use it"), HasSubstr("chmod 600")));
  }
}

TEST(ShowKey, SaysHowToMakeOneWhereThereIsNone) {
  const TemporaryFolder folder;
  EXPECT_THAT(why(ShowKey::read(folder / "none")), HasSubstr("submix key new"));
  EXPECT_THAT(why(ShowKey::read(folder.path())), HasSubstr("is not a file"));
  ASSERT_TRUE(write_file_atomically(folder / "empty", "", 0600));
  EXPECT_THAT(why(ShowKey::read(folder / "empty")), HasSubstr("not a key"));
}

}  // namespace
}  // namespace submix::cluster
