// SPDX-License-Identifier: GPL-3.0-or-later
// `submix render` from a user's view: which pictures are in the file, and what is left of a failed
// one.

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/system/live_cluster.hpp"
#include "tests/system/picture_digests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::seconds kRenderPatience(100);  // only a failing test waits so long
constexpr std::chrono::milliseconds kRenderTestLook(20);

// A clip that is skipped through, an effect in a host, a mix; ten frames a second leave a live show
// on a busy machine the time for each picture.
constexpr const char* kStillSet = R"(
[show]
name = "set"
size = [192, 96]
rate = 10
[[node]]
name = "rack"
[[node]]
name = "desk"
[[submix]]
name = "left"
node = "rack"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "clip.mp4", loop = true, speed = 1.7 }
[[submix.slot]]
name = "contrast"
plugin = "frei0r/contrast0r"
parameters = { Contrast = 0.6 }
[[submix.slot]]
name = "out"
plugin = "stream-out"
[[submix]]
name = "mix"
node = "desk"
[[submix.slot]]
name = "left"
plugin = "stream-in"
[[submix.slot]]
name = "pattern"
plugin = "pattern"
[[submix.slot]]
name = "mixer"
plugin = "mix"
inputs = ["left", "pattern"]
[[submix.slot]]
name = "record"
plugin = "record"
parameters = { file = "live.mkv", codec = "huffyuv" }
[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
)";

constexpr const char* kMoves = R"(
[submix.slot.oscillators.crossfade]
waveform = "sine"
frequency = 0.7
from = 0.1
to = 0.9
)";

/// The show above with an oscillator, a shader, a window, and a policy that would drop frames.
std::string moving_set() {
  std::string text = kStillSet;
  const auto mixer = std::string("inputs = [\"left\", \"pattern\"]\n");
  text.replace(text.find(mixer), mixer.size(),
               mixer + kMoves + "[[submix.slot]]\nname = \"screen\"\nplugin = \"window\"\n");
  const auto contrast = std::string("frei0r/contrast0r\"\nparameters = { Contrast = 0.6 }");
  text.replace(text.find(contrast), contrast.size(), "isf/Scan Lines\"");
  return text + "policy = \"latest\"\n";
}

class Render : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({"ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=192x96:rate=30",
                   "-t", "2", "-c:v", "mpeg4", (folder_ / "clip.mp4").string()}),
              0);
    fs::create_directory(folder_ / "tmp");
    write("show.toml", moving_set());
  }

  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file_atomically(folder_ / name, text).has_value());
  }
  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }

  [[nodiscard]] ChildProcess start(std::vector<std::string> command) const {
    auto started = ChildProcess::start(command, folder_ / "log");
    EXPECT_TRUE(started.has_value()) << started.error().message;
    return *std::move(started);
  }
  [[nodiscard]] int run(std::vector<std::string> command) const {
    return status_of(start(std::move(command)));
  }
  [[nodiscard]] static int status_of(ChildProcess process) {
    const auto deadline = std::chrono::steady_clock::now() + kRenderPatience;
    while (!process.exit_status() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(kRenderTestLook);
    return process.exit_status().value_or(-1);
  }

  [[nodiscard]] std::vector<std::string> render_command(
      const fs::path& file, const std::vector<std::string>& more = {}) const {
    const auto program = fs::path(SUBMIX_NODE).parent_path() / "submix";
    std::vector<std::string> command{"env",
                                     "TMPDIR=" + (folder_ / "tmp").string(),
                                     program.string(),
                                     "render",
                                     (folder_ / "show.toml").string(),
                                     "-o",
                                     file.string(),
                                     "--media",
                                     folder_.path().string(),
                                     "--codec",
                                     "huffyuv"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  [[nodiscard]] int render(const std::string& file, const std::vector<std::string>& more) const {
    return run(render_command(folder_ / file, more));
  }

  /// A digest of each picture.
  [[nodiscard]] std::vector<std::string> pictures_of(const std::string& file) const {
    const auto digests = folder_ / (file + ".md5");
    EXPECT_EQ(run({"ffmpeg", "-v", "error", "-y", "-i", (folder_ / file).string(), "-f", "framemd5",
                   digests.string()}),
              0);
    return picture_digests(read_text_file(digests).value_or(""));
  }

  void expect_nothing_is_left() const {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("submix-render")));
  }

  const TemporaryFolder folder_;
};

TEST_F(Render, MakesTheSamePicturesHoweverBusyTheMachineIs) {
  ASSERT_EQ(render("calm.mkv", {"--seconds", "2", "--json"}), 0) << log();
  EXPECT_THAT(log(), AllOf(HasSubstr("\"frames\": 20"), HasSubstr("\"source\": \"mix.screen\"")));
  {
    // A film is made at niceness 10: these are its equals.
    const std::vector<std::string> loop{"timeout", "20", "nice", "-n",
                                        "10",      "sh", "-c",   "while :; do :; done"};
    const auto one = start(loop);
    const auto other = start(loop);
    ASSERT_EQ(render("busy.mkv", {"--frames", "20"}), 0) << log();
  }

  const auto pictures = pictures_of("calm.mkv");
  EXPECT_EQ(pictures.size(), 20U);
  EXPECT_EQ(std::set(pictures.begin(), pictures.end()).size(), 20U);  // each has moved on
  EXPECT_EQ(pictures_of("busy.mkv"), pictures);
  EXPECT_FALSE(fs::exists(folder_ / "live.mkv"));
  expect_nothing_is_left();
}

// A live clip shows the picture before in place of a late one, and counts it.
TEST_F(Render, ShowsWhatTheLiveShowRecordsFromItsStart) {
  std::uint64_t held = 0;
  {
    LiveCluster live;
    for (const auto* node : {"desk", "rack"})
      live.start_node(node, {"--media", folder_.path().string()});
    live.apply(kStillSet);
    ASSERT_TRUE(live.wait_until([&](const auto& view) {
      held = counter_of(view, "left", "clip", "held").value_or(0);
      return counter_of(view, "mix", "record", "recorded").value_or(0) >= 20;
    }));
    live.end_node("desk", SIGTERM);
    fs::copy_file(live.folder() / "live.mkv", folder_ / "live.mkv");
  }
  write("show.toml", kStillSet);
  ASSERT_EQ(render("film.mkv", {"--frames", "20"}), 0) << log();

  const auto film = pictures_of("film.mkv");
  const auto live = pictures_of("live.mkv");
  ASSERT_EQ(film.size(), 20U);
  ASSERT_GE(live.size(), film.size());
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < film.size(); ++i) {
    if (film[i] != live[i]) ++different;
  }
  EXPECT_LE(different, held);
  EXPECT_LT(held, film.size());
}

TEST_F(Render, LeavesAPipeToTheCommandForPipes) {
  ASSERT_EQ(::mkfifo((folder_ / "film.mkv").c_str(), 0600), 0);
  EXPECT_EQ(render("film.mkv", {"--frames", "2", "--force"}), 1);
  EXPECT_THAT(log(), HasSubstr("is a pipe, and a film is a file"));
  EXPECT_THAT(log(), HasSubstr("submix pipe out"));
}

TEST_F(Render, LeavesAnExistingFileUntilAnotherIsComplete) {
  write("film.mkv", "mine");
  EXPECT_EQ(render("film.mkv", {"--frames", "2"}), 1);
  EXPECT_THAT(log(), HasSubstr("exists already; --force replaces it"));

  auto long_one = start(render_command(folder_ / "film.mkv", {"--seconds", "100000", "--force"}));
  const auto is_recording = [&] {
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (fs::exists(entry.path() / "film.mkv")) return true;
    }
    return false;
  };
  const auto deadline = std::chrono::steady_clock::now() + kRenderPatience;
  while (!is_recording() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(kRenderTestLook);
  ASSERT_EQ(::kill(-long_one.pid(), SIGINT), 0);  // to the whole group, as a terminal does
  EXPECT_EQ(status_of(std::move(long_one)), 1);
  EXPECT_THAT(log(), HasSubstr("interrupted;"));
  EXPECT_EQ(read_text_file(folder_ / "film.mkv").value_or(""), "mine");
  expect_nothing_is_left();

  EXPECT_EQ(render("film.mkv", {"--frames", "2", "--force"}), 0) << log();
  EXPECT_EQ(pictures_of("film.mkv").size(), 2U);
}

TEST_F(Render, NamesAMissingFileAndWritesNone) {
  fs::rename(folder_ / "clip.mp4", folder_ / "another.mp4");
  EXPECT_EQ(render("film.mkv", {"--frames", "2"}), 1);
  EXPECT_THAT(log(), AllOf(HasSubstr("clip.mp4"), HasSubstr("film.mkv is not written")));
  EXPECT_FALSE(fs::exists(folder_ / "film.mkv"));
  expect_nothing_is_left();
}

TEST_F(Render, LeavesNoFileOnAFullDisk) {
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_ready()) GTEST_SKIP() << SmallDisk::kNeeds;
  EXPECT_EQ(run(render_command(disk.folder() / "film.mkv", {"--seconds", "3600"})), 1);
  EXPECT_THAT(log(), AllOf(HasSubstr("No space left on device"), HasSubstr("is not written")));
  EXPECT_TRUE(fs::is_empty(disk.folder()));
}

}  // namespace
}  // namespace submix::testing
