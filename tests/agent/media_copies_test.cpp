// SPDX-License-Identifier: GPL-3.0-or-later
// Real files, given from one folder and copied to another one.

#include "node/agent/media_copies.hpp"

#include "common/base/files.hpp"
#include "common/cluster/media_part.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Three parts, the last of them short.
std::string picture_bytes() {
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < 2 * cluster::kMediaPartBytes + 1000; ++i)
    bytes += std::to_string(i * 7919) + " ";
  return bytes;
}

class MediaCopiesTest : public ::testing::Test {
 protected:
  MediaCopiesTest() {
    fs::create_directories(there_ / "rain");
    put(there_ / "rain/drops.mp4", bytes_);
  }

  static void put(const fs::path& path, const std::string& bytes) {
    ASSERT_TRUE(write_file_atomically(path, bytes));
  }
  static std::string read(const fs::path& path) {
    return read_text_file(path, std::size_t{1} << 24U).value_or("");
  }
  Result<cluster::MediaPart> give(const std::string& file, std::uint64_t offset) {
    ++parts_given_;
    if (auto refusal = on_part_ ? on_part_(offset) : std::string(); !refusal.empty())
      return fail("{}", refusal);
    const Descriptor opened(::open((there_ / file).c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened) return fail("{}: there is no such file", file);
    auto part = cluster::read_media_part(opened.get(), offset);
    if (part && lie_) part->bytes_all = *lie_;
    if (part && is_damaging_ && !part->bytes.empty()) part->bytes.back() ^= 1;
    return part;
  }
  cluster::MediaCopy ask(const std::string& token, const std::string& file, bool is_stop = false) {
    cluster::Command command;
    command.token = token;
    command.file = file;
    command.from = "left";
    command.is_stop = is_stop;
    return copies_.ask(command).value_or(cluster::MediaCopy{.is_over = true, .error = "refused"});
  }
  cluster::MediaCopy copy(const std::string& token, const std::string& file) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    auto state = ask(token, file);
    while (!state.is_over && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      state = ask(token, file);
    }
    return state;
  }
  [[nodiscard]] std::vector<std::string> files_here(const fs::path& folder = {}) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(here_.path() / folder))
      names.push_back(entry.path().filename().string());
    return names;
  }

  const std::string bytes_ = picture_bytes();
  const testing::TemporaryFolder there_;
  const testing::TemporaryFolder here_;
  std::atomic<int> parts_given_ = 0;
  std::atomic<bool> is_damaging_ = false;
  std::optional<std::uint64_t> lie_;                          // the size that is told
  std::function<std::string(std::uint64_t offset)> on_part_;  // the reason of a refusal
  MediaCopies copies_{{here_.path(), {}},
                      [this](const std::string&, const std::string& file, std::uint64_t offset) {
                        return give(file, offset);
                      }};
};

TEST_F(MediaCopiesTest, CopyAFileIntoItsFolder) {
  const auto done = copy("1", "rain/drops.mp4");
  EXPECT_EQ(done.error, "");
  EXPECT_EQ(done.bytes, bytes_.size());
  EXPECT_EQ(done.bytes_all, bytes_.size());
  EXPECT_EQ(read(here_ / "rain/drops.mp4"), bytes_);
  EXPECT_THAT(files_here("rain"), ::testing::ElementsAre("drops.mp4")) << "and nothing besides";
}

TEST_F(MediaCopiesTest, CopyALut) {
  put(there_ / "warm.cube", "LUT_1D_SIZE 2");
  EXPECT_EQ(copy("1", "warm.cube").error, "");
  EXPECT_EQ(read(here_ / "warm.cube"), "LUT_1D_SIZE 2");
}

TEST_F(MediaCopiesTest, AreContentWithTheSameFileAndRefuseAnotherOne) {
  EXPECT_EQ(copy("1", "rain/drops.mp4").error, "");
  EXPECT_EQ(copy("2", "rain/drops.mp4").error, "");
  auto other = bytes_;
  other[7] = '?';
  put(there_ / "rain/drops.mp4", other);
  EXPECT_THAT(copy("3", "rain/drops.mp4").error, HasSubstr("another file of this name"));
  put(there_ / "rain/drops.mp4", other + "longer");
  EXPECT_THAT(copy("4", "rain/drops.mp4").error, HasSubstr("is there already"));
  EXPECT_EQ(read(here_ / "rain/drops.mp4"), bytes_) << "nothing was replaced";
}

TEST_F(MediaCopiesTest, GoOnWhereACopyWasStopped) {
  on_part_ = [this](std::uint64_t offset) -> std::string {
    if (offset > 0) static_cast<void>(ask("1", "rain/drops.mp4", true));
    return {};
  };
  EXPECT_THAT(copy("1", "rain/drops.mp4").error, HasSubstr("was stopped"));
  EXPECT_FALSE(fs::exists(here_ / "rain/drops.mp4"));
  on_part_ = {};
  parts_given_ = 0;
  EXPECT_EQ(copy("2", "rain/drops.mp4").error, "");
  EXPECT_EQ(read(here_ / "rain/drops.mp4"), bytes_);
  EXPECT_EQ(parts_given_, 2) << "the first part, which tells the size, and the missing one";
}

TEST_F(MediaCopiesTest, DoNotKeepAFileThatWasDamagedOrChanged) {
  on_part_ = [&](std::uint64_t offset) -> std::string {
    if (offset == 0) return {};
    auto other = bytes_;
    other[1] = '?';
    put(there_ / "rain/drops.mp4", other);
    return {};
  };
  EXPECT_THAT(copy("1", "rain/drops.mp4").error, HasSubstr("was changed while it was copied"));
  on_part_ = {};
  is_damaging_ = true;
  EXPECT_THAT(copy("2", "rain/drops.mp4").error, HasSubstr("came damaged 5 times"));
  EXPECT_FALSE(fs::exists(here_ / "rain/drops.mp4"));
}

TEST_F(MediaCopiesTest, RefuseAGiverThatLiesAboutTheSize) {
  for (const std::uint64_t bytes_all : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{3}}) {
    lie_ = bytes_all;
    EXPECT_NE(copy("lie " + std::to_string(bytes_all), "rain/drops.mp4").error, "") << bytes_all;
  }
  EXPECT_FALSE(fs::exists(here_ / "rain/drops.mp4"));
}

TEST_F(MediaCopiesTest, EndACopyThatWaitsAtOnceAndKnowNothingOfAnUnknownOne) {
  std::atomic<bool> is_held = true;
  on_part_ = [&](std::uint64_t) {
    while (is_held)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::string();
  };
  static_cast<void>(ask("1", "rain/drops.mp4"));
  while (parts_given_ == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  static_cast<void>(ask("2", "rain/other.mp4"));
  EXPECT_TRUE(ask("2", "rain/other.mp4", true).is_over);
  EXPECT_THAT(ask("3", "rain/other.mp4", true).error, HasSubstr("was stopped"));
  is_held = false;
  EXPECT_EQ(copy("1", "rain/drops.mp4").error, "");
}

TEST(MediaCopies, RefuseNamesThatLeadElsewhereOrNameNoClip) {
  const testing::TemporaryFolder here;
  MediaCopies copies({here.path(), {}}, [](const std::string&, const std::string&, auto) {
    return Result<cluster::MediaPart>(cluster::MediaPart{4, 1, "abcd", cluster::digest_of("abcd")});
  });
  for (const std::string name : {"../out.mp4", "/tmp/out.mp4", "a/../../out.mp4", ".hidden.mp4",
                                 ".ssh/a.mp4", "a//b.mp4", "notes.txt", "a.mp4/", "a\nb.mp4", ""}) {
    cluster::Command command;
    command.token = "copy of " + name;
    command.file = name;
    command.from = "left";
    auto state = *copies.ask(command);
    while (!state.is_over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      state = *copies.ask(command);
    }
    EXPECT_NE(state.error, "") << name;
  }
  EXPECT_TRUE(fs::is_empty(here.path()));
}

TEST_F(MediaCopiesTest, FollowNoLinkOutOfTheFolder) {
  const testing::TemporaryFolder elsewhere;
  fs::create_directory_symlink(elsewhere.path(), here_ / "rain");
  EXPECT_NE(copy("1", "rain/drops.mp4").error, "");
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));
}

TEST_F(MediaCopiesTest, TryAgainWhileTheGiverIsAwayAndThenSayWhy) {
  int refusals = 1;
  on_part_ = [&](std::uint64_t) { return refusals-- > 0 ? std::string("nobody answers") : ""; };
  EXPECT_EQ(copy("1", "rain/drops.mp4").error, "");
  EXPECT_EQ(read(here_ / "rain/drops.mp4"), bytes_);
}

TEST_F(MediaCopiesTest, RefuseTooManyAtOnceAndForgetThoseThatAreOver) {
  std::atomic<bool> is_held = true;
  on_part_ = [&](std::uint64_t) {
    while (is_held)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::string();
  };
  for (std::size_t i = 0; i < MediaCopies::kCopiesMax; ++i)
    EXPECT_FALSE(ask(std::to_string(i), "rain/drops.mp4").is_over);
  EXPECT_EQ(ask("one more", "rain/drops.mp4").error, "refused");
  is_held = false;
  EXPECT_EQ(copy("63", "rain/drops.mp4").error, "");
  EXPECT_EQ(copy("one more", "rain/drops.mp4").error, "");
}

}  // namespace
}  // namespace submix::agent
