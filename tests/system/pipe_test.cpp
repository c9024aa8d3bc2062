// SPDX-License-Identifier: GPL-3.0-or-later
// `submix pipe` from a user's view: real programs beside a real show, and what they must not be
// able to do to it.

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "controller/model/edit/pipes.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "tests/support/eventually.hpp"
#include "tests/system/live_cluster.hpp"
#include "tests/system/picture_digests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace submix::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

constexpr std::uintmax_t kPictureBytes = 192 * 96 * 3;

// `record` writes down what the show showed.
constexpr const char* kRecordedMix = R"(
[show]
name = "set"
size = [192, 96]
rate = 20
[[node]]
name = "desk"
[[submix]]
name = "mix"
node = "desk"
[[submix.slot]]
name = "pattern"
plugin = "pattern"
[[submix.slot]]
name = "record"
plugin = "record"
parameters = { file = "film.mkv", codec = "huffyuv" }
)";

class Pipe : public ::testing::Test {
 protected:
  void SetUp() override {
    live_.start_node("desk");
    live_.apply(kRecordedMix);
    ASSERT_TRUE(live_.wait_until_all_run());
  }

  [[nodiscard]] fs::path file(const std::string& name) const { return live_.folder() / name; }
  [[nodiscard]] std::string log() const { return read_text_file(file("log")).value_or(""); }

  /// Starts a line of a shell, in which `submix` is the program with this show's address.
  [[nodiscard]] ChildProcess start(const std::string& line) const {
    const auto program = fs::path(SUBMIX_NODE).parent_path() / "submix";
    const auto script =
        fmt::format("cd '{}'; submix() {{ '{}' --nats {} \"$@\"; }}; {}",
                    live_.folder().path().string(), program.string(), live_.nats_url(), line);
    auto started = ChildProcess::start({"bash", "-o", "pipefail", "-c", script}, file("log"));
    EXPECT_TRUE(started.has_value()) << started.error().message;
    return *std::move(started);
  }
  [[nodiscard]] bool wait_for_pictures(const std::string& name, std::uintmax_t pictures) const {
    return eventually([&] {
      std::error_code none;
      return fs::exists(file(name)) && fs::file_size(file(name), none) >= pictures * kPictureBytes;
    });
  }
  /// The exit status; -1: it did not end.
  [[nodiscard]] static int status_of(ChildProcess& process) {
    return eventually([&] { return process.exit_status().has_value(); })
               ? process.exit_status().value_or(-1)
               : -1;
  }
  /// As Ctrl+C in a terminal.
  [[nodiscard]] static int interrupt(ChildProcess& process) {
    EXPECT_EQ(::kill(-process.pid(), SIGINT), 0);
    return status_of(process);
  }
  [[nodiscard]] bool wait_until_show_is_as_before() const {
    return live_.wait_until([](const model::ClusterView& view) {
      return view.show != nullptr && model::pipe_nodes(*view.show).empty() &&
             view.show->streams.empty() && view.show->submixes.size() == 1 &&
             view.show->nodes.size() == 1;
    });
  }

  /// Whether the mix makes more pictures.
  [[nodiscard]] bool goes_on() const {
    const auto before = frames_of(*live_.view(), "mix", "pattern");
    return live_.wait_until(
        [&](const auto& view) { return frames_of(view, "mix", "pattern") > before + 10; });
  }

  /// Digests of the pictures that FFmpeg reads.
  [[nodiscard]] std::vector<std::string> pictures_of(const std::string& input) const {
    auto reading = start(fmt::format(
        "ffmpeg -v error -y {} -pix_fmt rgb24 -fps_mode passthrough -f framemd5 digests", input));
    EXPECT_EQ(status_of(reading), 0) << log();
    return picture_digests(read_text_file(file("digests")).value_or(""));
  }
  [[nodiscard]] std::vector<std::string> raw_pictures(const std::string& name) const {
    return pictures_of("-f rawvideo -pix_fmt rgb24 -video_size 192x96 -i " + name);
  }
  /// All that the show has shown. Ends the node.
  [[nodiscard]] std::vector<std::string> shown_pictures() {
    live_.end_node("desk", SIGTERM);
    return pictures_of("-i film.mkv");
  }
  static void expect_run_of(const std::vector<std::string>& pictures,
                            const std::vector<std::string>& part) {
    EXPECT_NE(std::ranges::search(pictures, part).begin(), pictures.end())
        << pictures.size() << " pictures do not have these " << part.size() << " in one run";
  }

  LiveCluster live_;
};

TEST_F(Pipe, GivesAProgramEachPictureInOrder) {
  auto pipe = start("submix pipe out mix --format raw --lossless > got.raw");
  ASSERT_TRUE(wait_for_pictures("got.raw", 12)) << log();
  EXPECT_EQ(interrupt(pipe), 0) << log();
  EXPECT_TRUE(wait_until_show_is_as_before());
  EXPECT_THAT(log(), HasSubstr(" pictures, 0 left out"));
  const auto got = raw_pictures("got.raw");
  EXPECT_GE(got.size(), 12U);
  expect_run_of(shown_pictures(), got);
}

TEST_F(Pipe, ShowsEachPictureOfAProgramInOrder) {
  auto pipe = start(
      "ffmpeg -v error -f lavfi -i testsrc2=size=192x96:rate=20 -t 1.5 -pix_fmt rgb24 -f rawvideo "
      "- | tee sent.raw | submix pipe in guest --level 1 --format raw --size 192x96 --lossless");
  EXPECT_EQ(status_of(pipe), 0) << log();
  EXPECT_TRUE(wait_until_show_is_as_before());
  const auto sent = raw_pictures("sent.raw");
  EXPECT_THAT(sent, SizeIs(30));
  expect_run_of(shown_pictures(), sent);
}

TEST_F(Pipe, AReaderThatStallsAndIsKilledStopsNothing) {
  auto pipe = start("submix pipe out mix --format raw | sleep 100");
  ASSERT_TRUE(eventually([&] { return log().find("left out so far") != std::string::npos; }))
      << log();
  EXPECT_TRUE(goes_on());
  ASSERT_EQ(::kill(-pipe.pid(), SIGKILL), 0);
  EXPECT_TRUE(wait_until_show_is_as_before());
}

TEST_F(Pipe, ALosslessReaderThatStallsHoldsTheShowUpAndIsNamed) {
  auto pipe = start("submix pipe out mix --format raw --lossless | sleep 100");
  EXPECT_TRUE(live_.wait_until([](const model::ClusterView& view) {
    const auto lines = model::standstill_lines(view);
    return lines.size() == 1 && lines[0].find("its program has taken no picture") != lines[0].npos;
  }));
  static_cast<void>(interrupt(pipe));
  EXPECT_TRUE(wait_until_show_is_as_before());
  EXPECT_TRUE(goes_on());
}

TEST_F(Pipe, GStreamerReadsAndWrites) {
  auto out = start(
      "submix pipe out mix --format raw | gst-launch-1.0 -q fdsrc ! rawvideoparse width=192 "
      "height=96 format=rgb framerate=20/1 ! filesink location=got.raw");
  EXPECT_TRUE(wait_for_pictures("got.raw", 6)) << log();
  static_cast<void>(interrupt(out));
  auto in = start(
      "gst-launch-1.0 -q videotestsrc num-buffers=10 is-live=true ! "
      "video/x-raw,format=I420,width=192,height=96,framerate=20/1 ! y4menc ! fdsink | submix pipe "
      "in guest");
  EXPECT_EQ(status_of(in), 0) << log();
  EXPECT_THAT(log(), HasSubstr("standard input: 192x96"));
  EXPECT_TRUE(wait_until_show_is_as_before());
  EXPECT_THAT(shown_pictures(), IsSupersetOf(raw_pictures("got.raw")));
}

}  // namespace
}  // namespace submix::testing
