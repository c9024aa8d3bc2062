// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"

#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace submix {
namespace {

TEST(Files, ReadBackWhatWasWritten) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a", "one\ntwo\n").has_value());
  EXPECT_EQ(read_text_file(folder / "a").value(), "one\ntwo\n");
}

TEST(Files, AreWrittenWithTheModeAskedFor) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "key", "secret", 0600).has_value());
  struct stat status{};
  ASSERT_EQ(::stat((folder / "key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Files, AreWhatTheyWereWhenWritingIsGivenUp) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a", "before"));
  std::stop_source stop;
  stop.request_stop();
  const auto result = write_file_atomically(folder / "a", "after", 0644, stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, (folder / "a").string() + ": given up");
  EXPECT_EQ(*read_text_file(folder / "a"), "before");
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "nothing is left beside it";
}

// In a folder that everybody may write, another user may have put a link at this path.
TEST(Files, AreNotWrittenThroughALinkThatWaitsForThem) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "precious", "precious"));
  std::filesystem::create_symlink("precious", folder / fmt::format("a.{}.new", ::getpid()));
  ASSERT_TRUE(write_file_atomically(folder / "a", "secret", 0600));
  EXPECT_EQ(*read_text_file(folder / "precious"), "precious");
  EXPECT_EQ(*read_text_file(folder / "a"), "secret");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a"));
}

// Each program waited without end for a writer of a pipe in the place of its own file.
TEST(Files, ThatArePipesAreRefusedAtOnce) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto text = read_text_file(folder / "pipe");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().message,
            (folder / "pipe").string() + ": is a pipe or a device, not a file");
  const auto device = read_text_file("/dev/zero");
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(device.error().message, "/dev/zero: is a pipe or a device, not a file");
}

TEST(Files, ThatAPersonNamesMayBePipes) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(folder / "pipe") << "one\ntwo\n"; });
  EXPECT_EQ(read_text_or_pipe(folder / "pipe").value_or(""), "one\ntwo\n");
}

// A disk that fails in the midst of a file gave the part before that, without a word.
TEST(Files, ThatCannotBeReadToTheirEndAreNoTexts) {
  const auto text = read_text_file("/proc/self/mem");  // its first byte cannot be read
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().message, "/proc/self/mem: cannot be read: Input/output error");
}

// `sudo submix snapshot mix /dev/null` put a picture in the place of /dev/null.
TEST(Files, AreNotWrittenInThePlaceOfAPipeOrADevice) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/full", folder / "full");
  std::filesystem::create_symlink("/proc/self/fd/1", folder / "stdout");
  for (const auto* name : {"pipe", "full", "stdout"}) {
    const auto written = write_file_atomically(folder / name, "x");
    ASSERT_FALSE(written.has_value()) << name;
    EXPECT_EQ(written.error().message,
              (folder / name).string() +
                  ": is a pipe or a device, and is not replaced; name a plain file");
    EXPECT_FALSE(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / name)));
  }
}

TEST(Files, AreNotWrittenInThePlaceOfAFolder) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  const auto written = write_file_atomically(folder / "a", "x");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, (folder / "a").string() + ": is a folder; name a file");
}

/// `state_home()` of a process with these environment variables; null: not set.
std::string state_home_with(const char* home, const char* runtime) {
  std::string text;
  EXPECT_EXIT(
      {
        ::unsetenv("XDG_STATE_HOME");
        home == nullptr ? ::unsetenv("HOME") : ::setenv("HOME", home, 1);
        runtime == nullptr ? ::unsetenv("XDG_RUNTIME_DIR")
                           : ::setenv("XDG_RUNTIME_DIR", runtime, 1);
        std::fputs(state_home().c_str(), stderr);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), ::testing::Truly([&text](const std::string& written) {
        text = written;
        return true;
      }));
  return text;
}

TEST(StateHome, IsBelowTheHome) {
  EXPECT_EQ(state_home_with("/home/a", "/run/user/7"), "/home/a/.local/state/submix");
}

// The folder was once /tmp/.local, which all users share.
TEST(StateHome, IsThisUsersOwnWithoutAHome) {
  EXPECT_EQ(state_home_with(nullptr, "/run/user/7"), "/run/user/7/submix");
  const std::filesystem::path folder = state_home_with(nullptr, nullptr);
  EXPECT_TRUE(folder.string().starts_with(fmt::format("/tmp/submix-{}", ::getuid()))) << folder;
  struct stat status{};
  ASSERT_EQ(::lstat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, ::getuid());
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  std::filesystem::remove(folder);
}

TEST(Files, KeepTheOldTextWhenTheNewCannotBeWritten) {
  const auto result = write_file_atomically("/proc/submix", "x");
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("/proc/submix: cannot be written"), std::string::npos);
}

TEST(Files, OverTheLimitAreRefused) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "big", std::string(11, 'x')).has_value());
  EXPECT_TRUE(read_text_file(folder / "big", 11).has_value());
  EXPECT_FALSE(read_text_file(folder / "big", 10).has_value());
}

}  // namespace
}  // namespace submix
