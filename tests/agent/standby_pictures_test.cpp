// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/standby_pictures.hpp"

#include "tests/support/event_log.hpp"
#include "tests/support/manual_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace submix::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A disk with simple pictures: all bytes have the written value; none: not a picture.
struct Disk {
  struct File {
    FileState state;
    std::optional<std::uint8_t> pixels;
  };
  std::map<std::string, File> files;
  std::uint64_t writes = 0;
  int loads = 0;

  void write(const std::string& file, std::optional<std::uint8_t> pixels) {
    files[file] = {{.inode = 1, .bytes = 1, .changed_ns = static_cast<std::int64_t>(++writes)},
                   pixels};
  }
  [[nodiscard]] StandbyPictures::Files access() {
    return {[this](const std::string& file) {
              const auto found = files.find(file);
              return found == files.end() ? std::nullopt : std::optional(found->second.state);
            },
            [this](const std::string& file, Size size) -> Result<std::vector<std::uint8_t>> {
              ++loads;
              const auto& pixels = files.at(file).pixels;
              if (!pixels) return fail("{}: is no image; give another one", file);
              return std::vector<std::uint8_t>(size.pixels() * 4, *pixels);
            }};
  }
};

class StandbyPicturesTest : public ::testing::Test {
 protected:
  void wish(const std::string& file, show::InputPolicy policy = show::InputPolicy::standby) {
    show::Stream stream;
    stream.name = "left";
    stream.to = {"mix", "left"};
    stream.policy = policy;
    stream.standby = file;
    pictures_.request(stream, {64, 64}, policy_);
  }
  /// The picture's first byte; -1: the built-in picture.
  [[nodiscard]] int shown() const {
    const auto picture = policy_->standby();
    return picture ? picture->front() : -1;
  }

  Disk disk_;
  testing::EventLog events_;
  testing::ManualClock clock_;
  std::shared_ptr<io::StreamPolicy> policy_ = std::make_shared<io::StreamPolicy>(
      show::InputPolicy::standby, std::chrono::milliseconds(500));
  StandbyPictures pictures_{disk_.access(), events_, clock_};
};

TEST_F(StandbyPicturesTest, AreLoadedOnce) {
  disk_.write("logo.png", 7);
  wish("logo.png");
  EXPECT_EQ(shown(), -1) << "nothing waits for it";
  pictures_.load();
  EXPECT_EQ(shown(), 7);
  wish("logo.png");
  clock_.advance(StandbyPictures::kRetryPause);
  pictures_.load();
  EXPECT_EQ(disk_.loads, 1);
  EXPECT_THAT(events_.lines(), IsEmpty());
}

TEST_F(StandbyPicturesTest, AreLoadedWhenTheirFileAppears) {
  wish("logo.png");
  pictures_.load();
  pictures_.load();
  EXPECT_EQ(shown(), -1);
  EXPECT_THAT(
      events_.lines(),
      ElementsAre(
          "mix.left: stream left: stand-by picture logo.png is not there; put it there, or name "
          "another one in \"standby\"; the built-in one stands in for it, and it is tried again "
          "when the file changes"));
  disk_.write("logo.png", 7);
  pictures_.load();
  EXPECT_EQ(shown(), 7);
  EXPECT_THAT(events_.lines().back(), HasSubstr("stand-by picture logo.png can be shown now"));
}

TEST_F(StandbyPicturesTest, AreLoadedAgainWhenTheirFileChanges) {
  disk_.write("logo.png", 7);
  wish("logo.png");
  pictures_.load();
  disk_.write("logo.png", std::nullopt);
  pictures_.load();
  EXPECT_EQ(shown(), 7);
  EXPECT_THAT(events_.lines().back(),
              HasSubstr("is no image; give another one; the one before stays"));
  disk_.write("logo.png", 9);
  pictures_.load();
  EXPECT_EQ(shown(), 9);
}

TEST_F(StandbyPicturesTest, AreTriedAgainLaterThoughTheFileIsTheSame) {
  disk_.write("logo.png", std::nullopt);
  wish("logo.png");
  pictures_.load();
  disk_.files["logo.png"].pixels = 5;  // the file could not be opened, for example
  pictures_.load();
  EXPECT_EQ(disk_.loads, 1);
  clock_.advance(StandbyPictures::kRetryPause);
  pictures_.load();
  EXPECT_EQ(shown(), 5);
}

TEST_F(StandbyPicturesTest, GiveWayToTheBuiltInOneWhereTheShowNamesNoneAnyMore) {
  disk_.write("logo.png", 7);
  wish("logo.png");
  pictures_.load();
  wish("");
  EXPECT_EQ(shown(), -1);
  EXPECT_TRUE(pictures_.is_empty());
}

TEST_F(StandbyPicturesTest, OfAnotherFileTakeThePlaceOfTheFormerOneOnceTheyAreThere) {
  disk_.write("logo.png", 7);
  disk_.write("other.png", 8);
  wish("logo.png");
  pictures_.load();
  wish("other.png");
  EXPECT_EQ(shown(), 7);
  pictures_.load();
  EXPECT_EQ(shown(), 8);
  wish("nowhere.png");
  pictures_.load();
  EXPECT_EQ(shown(), -1);
}

}  // namespace
}  // namespace submix::agent
