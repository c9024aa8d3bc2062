// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/display_watch.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

namespace submix::io {
namespace {

using List = std::vector<Display>;
using std::chrono::seconds;

const List kOne{{"EPSON PJ", 0, 0, {640, 480}, 60}};

class DisplayWatchTest : public ::testing::Test {
 protected:
  /// A program that does this in place of asking a display server.
  std::filesystem::path program(const std::string& lines) {
    const auto file = folder_ / "displays";
    EXPECT_TRUE(write_file_atomically(file, "#!/bin/sh\n" + lines, 0700));
    return file;
  }
  /// The next news, waiting for the program.
  static std::optional<List> next(DisplayWatch& watch, LocalTime now) {
    for (int i = 0; i < 3000; ++i) {
      if (auto news = watch.news(now)) return news;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return std::nullopt;
  }

  testing::TemporaryFolder folder_;
  const LocalTime begin_{seconds(1000)};
};

TEST_F(DisplayWatchTest, TellsEachChangeOnce) {
  DisplayWatch watch(program(
      "echo display 0 0 640 480 60 EPSON PJ; echo end\n"
      "while [ ! -e " +
      (folder_ / "unplug").string() + " ]; do sleep 0.01; done\necho end; exec sleep 100\n"));
  EXPECT_EQ(next(watch, begin_), kOne);
  EXPECT_EQ(watch.news(begin_), std::nullopt);
  ASSERT_TRUE(write_file_atomically(folder_ / "unplug", "", 0600));
  EXPECT_EQ(next(watch, begin_), List());
}

TEST_F(DisplayWatchTest, KnowsNoDisplayAfterTheServersEndAndAsksAgainLater) {
  DisplayWatch watch(
      program("echo display 0 0 640 480 60 EPSON PJ; echo end\n"
              "while [ ! -e " +
              (folder_ / "gone").string() + " ]; do sleep 0.01; done; exit 1\n"));
  EXPECT_EQ(next(watch, begin_), kOne);
  ASSERT_TRUE(write_file_atomically(folder_ / "gone", "", 0600));
  EXPECT_EQ(next(watch, begin_), List());
  EXPECT_EQ(watch.news(begin_ + DisplayWatch::kRetryPause - seconds(1)), std::nullopt);
  std::filesystem::remove(folder_ / "gone");
  EXPECT_EQ(next(watch, begin_ + DisplayWatch::kRetryPause), kOne);
}

TEST_F(DisplayWatchTest, StaysQuietWithoutTheProgram) {
  DisplayWatch watch(folder_ / "not-there");
  EXPECT_EQ(watch.news(begin_), std::nullopt);
  EXPECT_EQ(watch.news(begin_ + 2 * DisplayWatch::kRetryPause), std::nullopt);
}

TEST(DisplayServer, IsNamedByTheSession) {
  for (const auto* name : {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"})
    ::unsetenv(name);
  EXPECT_FALSE(is_display_server_named()) << "a node in a rack starts nothing";
  ::setenv("DISPLAY", "", 1);
  EXPECT_FALSE(is_display_server_named());
  ::setenv("WAYLAND_DISPLAY", "wayland-0", 1);
  EXPECT_TRUE(is_display_server_named());
  ::setenv("SDL_VIDEODRIVER", "dummy", 1);
  EXPECT_FALSE(is_display_server_named()) << "drawn into memory only";
  for (const auto* name : {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"})
    ::unsetenv(name);
}

}  // namespace
}  // namespace submix::io
