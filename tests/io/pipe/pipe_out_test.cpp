// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_out.hpp"

#include "common/media/pixels.hpp"
#include "node/io/pipe/picture_headers.hpp"
#include "node/io/pipe/picture_stream.hpp"
#include "node/plugin/strip.hpp"
#include "tests/io/pipe/pipe_ends.hpp"
#include "tests/io/plugin_rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using testing::Bytes;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::PipeEnds;
using ::testing::StartsWith;

constexpr Size kOutSize{32, 16};
constexpr FrameRate kOutRate{25, 1};

/// A slot "pipe-out" that writes to `data`.
class PipeOutRun {
 public:
  PipeOutRun(PipeFormat format, int data) {
    std::signal(SIGPIPE, SIG_IGN);  // as every program of Submix does
    catalog_.emplace(std::vector<std::filesystem::path>());
    add_pipe_out(*catalog_, {.direction = PipeDirection::out,
                             .format = format,
                             .data = data,
                             .status = status_.writing.get()});
    begin(kOutSize);
  }

  /// The show changes its size: the pipe gets another instance of the plugin.
  void begin(Size size) {
    plugin_.reset();
    given_ = {};
    rig_.emplace(size, kOutRate);
    plugin_ = catalog_->create("pipe-out", rig_->setup({.id = "pipe-out"}, {})).value();
  }
  /// Gives frame `index` to the pipe and returns its pixels.
  Bytes give(std::uint64_t index, std::uint64_t epoch = 1) {
    auto frame = rig_->blank();
    const auto rgb = testing::rgb_picture(frame.size().pixels(), static_cast<int>(index));
    media::unpack_rgb24(rgb, frame.rgba());
    frame.stamp() = {.epoch = epoch, .index = {index}, .pts = kOutRate.time_of({index})};
    given_ = std::move(frame).publish();
    give_again();
    return rgb;
  }
  void give_again() {
    const auto index = given_.stamp().index.value;
    EXPECT_EQ(rig_->run(*plugin_, {given_}, index).rgba().data(), given_.rgba().data());
  }
  [[nodiscard]] plugin::Pace pace() const { return plugin_->pace(); }
  void ask_to_stop() { rig_->stop.request_stop(); }
  void end() {
    plugin_.reset();
    catalog_.reset();
  }
  [[nodiscard]] std::string status() const { return status_.text_so_far(); }

 private:
  PipeEnds status_;
  std::optional<plugin::Catalog> catalog_;
  std::optional<testing::PluginRig> rig_;
  std::unique_ptr<plugin::Plugin> plugin_;
  media::Frame given_;
};

TEST(PipeOut, RawPicturesAreTheFramesPixelsAndNothingElse) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::raw, file.get());
  Bytes expected;
  for (std::uint64_t index = 0; index < 3; ++index)
    testing::append(expected, run.give(index));
  EXPECT_EQ(testing::bytes_of(file), expected);
  run.end();
  EXPECT_THAT(run.status(), EndsWith("count 3 0\n"));
}

TEST(PipeOut, MatroskaHasAGapWhereFramesWereLeftOut) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::matroska, file.get());
  const std::vector<Bytes> given{run.give(100), run.give(101), run.give(110)};
  ::lseek(file.get(), 0, SEEK_SET);
  PictureStream matroska(
      {.direction = PipeDirection::in, .format = PipeFormat::matroska, .data = file.get()});
  EXPECT_EQ(matroska.open({}).value()->size, kOutSize);
  Bytes pixels;
  for (const auto& [i, time] : {std::pair(0U, 0), std::pair(1U, 40), std::pair(2U, 400)}) {
    EXPECT_EQ(matroska.next(pixels, {}).value(), milliseconds(time));
    EXPECT_EQ(pixels, given[i]);
  }
  EXPECT_EQ(matroska.next(pixels, {}).value(), std::nullopt);
}

TEST(PipeOut, Y4mHasAHeaderAndAPictureOfThreeFullPlanes) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::y4m, file.get());
  run.give(0);
  run.give(1);
  const auto bytes = testing::bytes_of(file);
  const auto header = y4m_header(kOutSize, kOutRate);
  const auto picture = std::string_view("FRAME\n").size() + 3 * kOutSize.pixels();
  EXPECT_THAT(std::string(bytes.begin(), bytes.end()), StartsWith(header + "FRAME\n"));
  EXPECT_EQ(bytes.size(), header.size() + 2 * picture);
}

TEST(PipeOut, AStandInOfTheInputIsNotWritten) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::raw, file.get());
  run.give(0, plugin::kStandInEpoch);
  EXPECT_EQ(testing::bytes_of(file).size(), 0U);
}

TEST(PipeOut, APictureThatTheInputHoldsIsWrittenOnceAndNotAskedForWithoutPause) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::raw, file.get());
  run.give(0);
  run.give_again();
  run.give_again();
  EXPECT_EQ(testing::bytes_of(file).size(), kOutSize.pixels() * 3);
  EXPECT_EQ(run.pace(), plugin::Pace::show);
  run.give(1);
  EXPECT_EQ(testing::bytes_of(file).size(), 2 * kOutSize.pixels() * 3);
  EXPECT_EQ(run.pace(), plugin::Pace::display);
}

TEST(PipeOut, PicturesOfAMixerWhoseInputIsHeldAreAllWritten) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::raw, file.get());
  run.give(0);
  run.give(0);  // in another seat, as the frame before is still there
  EXPECT_EQ(testing::bytes_of(file).size(), 2 * kOutSize.pixels() * 3);
}

TEST(PipeOut, AnotherInstanceGoesOnInTheSamePipe) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::y4m, file.get());
  run.give(0);
  const auto one = testing::bytes_of(file).size();
  run.begin(kOutSize);
  run.give(1);
  EXPECT_EQ(testing::bytes_of(file).size(), 2 * one - y4m_header(kOutSize, kOutRate).size());
}

TEST(PipeOut, AnotherSizeOfTheShowEndsThePipeWithTheReason) {
  const auto file = testing::file_of({});
  PipeOutRun run(PipeFormat::raw, file.get());
  run.give(0);
  run.begin({64, 48});
  run.give(1);
  EXPECT_EQ(testing::bytes_of(file).size(), 3 * kOutSize.pixels());
  EXPECT_THAT(run.status(),
              HasSubstr("broken the show has now 64x48 at 25 a second, and the pipe began with "
                        "32x16 at 25; begin it again"));
}

TEST(PipeOut, AReaderThatIsGoneEndsThePipeWithoutAFault) {
  PipeEnds pipe;
  PipeOutRun run(PipeFormat::raw, pipe.writing.get());
  pipe.reading = Descriptor();
  run.give(0);
  run.give(1);  // and the frames pass on
  EXPECT_THAT(run.status(), EndsWith("over\n"));
}

TEST(PipeOut, AFullDiskEndsThePipeWithTheReason) {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  PipeOutRun run(PipeFormat::raw, full.get());
  run.give(0);
  EXPECT_THAT(run.status(), HasSubstr("broken standard output cannot be written: No space left"));
}

// A stopped reader must not keep the node from changing its show.
TEST(PipeOut, AStopEndsTheWaitForAReaderAndTheRestFollowsLater) {
  const PipeEnds pipe;
  constexpr Size kBig{1024, 768};  // more than a pipe takes
  PipeOutRun run(PipeFormat::raw, pipe.writing.get());
  run.begin(kBig);
  run.ask_to_stop();
  const auto first = run.give(0);
  Bytes read;
  testing::append(read, pipe.text_so_far());
  ASSERT_LT(read.size(), first.size());

  run.begin(kBig);
  std::jthread reader([&] {
    while (read.size() < 2 * first.size())
      testing::append(read, pipe.text_so_far());
  });
  auto expected = first;
  testing::append(expected, run.give(1));
  reader.join();
  EXPECT_EQ(read, expected);
}

}  // namespace
}  // namespace submix::io
