// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/missing_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Submix "left" with a clip and a still, and its node's report of it.
class MissingFilesTest : public ::testing::Test {
 protected:
  MissingFilesTest() {
    show::Submix left;
    left.name = "left";
    left.slots = {slot("a", "clip", "a.mp4"), slot("b", "still", "b.png"),
                  slot("c", "record", "c.mkv")};
    share_.submixes = {left};
    disk_["b.png"] = {.inode = 1, .bytes = 1, .changed_ns = 1};
    (void)probe();
    (void)probe();  // the still exists: it is worth one attempt
  }

  static show::Slot slot(const std::string& name, const std::string& plugin,
                         const std::string& file) {
    show::Slot slot;
    slot.name = name;
    slot.plugin = plugin;
    slot.parameters["file"] = file;
    return slot;
  }
  void put(const std::string& file, std::uint64_t bytes) {
    disk_[file] = {.inode = 2, .bytes = bytes};
  }
  std::set<std::string> probe(cluster::SubmixState state = cluster::SubmixState::failed,
                              const std::string& error = "why") {
    now_ += MissingFiles::kPause;
    const std::vector<cluster::SubmixReport> reports{{"left", state, error}};
    return files_.watch(share_, reports, now_) ? files_.probe() : std::set<std::string>{"no look"};
  }

  show::Show share_;
  std::map<std::string, FileState> disk_;
  LocalTime now_{};
  MissingFiles files_{[this](const std::string& file) {
    const auto found = disk_.find(file);
    return found == disk_.end() ? std::nullopt : std::optional(found->second);
  }};
};

// A new clip was once not tried before the next change of the show.
TEST_F(MissingFilesTest, AreWorthATryWhenTheyCome) {
  EXPECT_THAT(probe(), IsEmpty());
  put("a.mp4", 10);
  EXPECT_THAT(probe(), IsEmpty()) << "it may still grow";
  EXPECT_THAT(probe(), ElementsAre("clip"));
  EXPECT_THAT(probe(), IsEmpty()) << "once";
}

TEST_F(MissingFilesTest, AreWaitedForWhileTheyAreCopied) {
  for (std::uint64_t bytes = 1; bytes < 5; ++bytes) {
    put("a.mp4", bytes);
    EXPECT_THAT(probe(), IsEmpty());
  }
  EXPECT_THAT(probe(), ElementsAre("clip"));
}

TEST_F(MissingFilesTest, AreTriedAgainWhenTheyChange) {
  put("b.png", 7);
  (void)probe();
  EXPECT_THAT(probe(), ElementsAre("still"));
}

TEST_F(MissingFilesTest, OfWhatRunsAreNotLookedAt) {
  EXPECT_THAT(probe(cluster::SubmixState::running, ""), ElementsAre("no look"));
}

TEST_F(MissingFilesTest, AreWorthATryWhereSomethingStandsInForThem) {
  put("a.mp4", 10);
  EXPECT_THAT(probe(cluster::SubmixState::running), IsEmpty());
  EXPECT_THAT(probe(cluster::SubmixState::running), ElementsAre("clip"));
}

TEST_F(MissingFilesTest, AreLookedAtOnceInASecond) {
  const std::vector<cluster::SubmixReport> reports{{"left", cluster::SubmixState::failed, "why"}};
  EXPECT_FALSE(files_.watch(share_, reports, now_ + std::chrono::milliseconds(900)));
  EXPECT_TRUE(files_.watch(share_, reports, now_ + std::chrono::milliseconds(1000)));
}

}  // namespace
}  // namespace submix::agent
