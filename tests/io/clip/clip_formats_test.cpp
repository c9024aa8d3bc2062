// SPDX-License-Identifier: GPL-3.0-or-later
// Clips of many codecs, sizes, rates and pixel formats show what the program ffmpeg decodes, round
// after round.

#include "common/base/files.hpp"
#include "node/io/clip/clip.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {
namespace {

constexpr std::size_t kPictures = 8;
constexpr std::size_t kRounds = 3;

struct ClipFormat {
  const char* name;
  const char* file;
  Size size;
  FrameRate rate;
  const char* encoding;  // options of ffmpeg
  /// Mean difference from ffmpeg's picture, of 255. 0: byte for byte. Others are converted by
  /// another way: ffmpeg's has 253 for white, and other colours between the few that the file has.
  double tolerance;

  friend void PrintTo(const ClipFormat& format, std::ostream* out) { *out << format.name; }
};

/// Mean difference of the colours in `frame` and in `expected`, which has three bytes a pixel.
double difference(const media::Frame& frame, std::string_view expected) {
  const auto rgba = frame.rgba();
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    sum += std::abs(int{rgba[i / 3 * 4 + i % 3]} - int{static_cast<std::uint8_t>(expected[i])});
  return sum / static_cast<double>(expected.size());
}

class ClipFile : public ::testing::Test {
 protected:
  void run(const std::string& arguments) const {
    const auto command = "timeout 60 ffmpeg -nostdin -y -v error " + arguments;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  [[nodiscard]] std::string path(const std::string& file) const {
    return (folder_ / file).string();
  }
  /// Decodes all pictures by the program ffmpeg.
  void decode(const std::string& file, Size size) {
    ASSERT_NO_FATAL_FAILURE(
        run(fmt::format("-i {} -vsync 0 -f rawvideo -pix_fmt rgb24 {}", path(file), path("raw"))));
    const auto raw = read_text_file(folder_ / "raw", std::size_t{64} << 20);
    ASSERT_TRUE(raw) << raw.error().message;
    pictures_.clear();
    const auto bytes = static_cast<std::size_t>(size.pixels()) * 3;
    for (std::size_t at = 0; at < raw->size(); at += bytes)
      pictures_.push_back(raw->substr(at, bytes));
  }
  /// Plays the file for some rounds. `shown`: which picture each frame of a round shows.
  void expect_rounds(const std::string& file, Size size, FrameRate rate,
                     const std::vector<std::size_t>& shown, double tolerance) const {
    testing::PluginRig rig(size, rate);
    const auto clip =
        make_clip(rig.setup(clip_description(), {{"file", file}}), {folder_.path(), {}});
    ASSERT_TRUE(clip) << clip.error().message;
    for (std::size_t i = 0; i < kRounds * shown.size(); ++i) {
      const auto frame = rig.make(**clip, i);
      ASSERT_TRUE(frame);
      const auto picture = shown[i % shown.size()];
      ASSERT_LE(difference(frame, pictures_[picture]), tolerance)
          << "frame " << i << " is not picture " << picture;
    }
    EXPECT_TRUE(rig.events.lines().empty()) << rig.events.lines().front();
  }

  testing::TemporaryFolder folder_;
  std::vector<std::string> pictures_;
};

std::vector<std::size_t> one_after_another(std::size_t pictures) {
  std::vector<std::size_t> shown(pictures);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  return shown;
}

class ClipFormats : public ClipFile, public ::testing::WithParamInterface<ClipFormat> {};

TEST_P(ClipFormats, ShowWhatFfmpegDecodes) {
  const auto& format = GetParam();
  const auto size = fmt::format("{}x{}", format.size.width, format.size.height);
  const auto rate = fmt::format("{}/{}", format.rate.numerator, format.rate.denominator);
  ASSERT_NO_FATAL_FAILURE(
      run(fmt::format("-f lavfi -i testsrc=size={}:rate={} -frames:v {} -threads 1 {} {}", size,
                      rate, kPictures, format.encoding, path(format.file))));
  ASSERT_NO_FATAL_FAILURE(decode(format.file, format.size));
  ASSERT_GE(pictures_.size(), kPictures - 2);  // the encoder libxvid keeps the last two
  expect_rounds(format.file, format.size, format.rate, one_after_another(pictures_.size()),
                format.tolerance);
}

TEST_F(ClipFile, ShowsEachPictureOfAnAnimationForItsOwnTime) {
  for (const auto* encoding : {"-c:v gif -final_delay 20 a.gif",
                               "-c:v apng -plays 0 -final_delay "
                               "1/5 a.apng"}) {
    SCOPED_TRACE(encoding);
    const std::string options(encoding);
    const auto file = options.substr(options.rfind(' ') + 1);
    ASSERT_NO_FATAL_FAILURE(run(
        fmt::format("-f lavfi -i testsrc=size=64x48:rate=100 -vf "
                    "\"select='eq(n,0)+eq(n,7)+eq(n,10)+eq(n,33)'\" -vsync vfr -frames:v 4 {} {}",
                    options.substr(0, options.rfind(' ')), path(file))));
    ASSERT_NO_FATAL_FAILURE(decode(file, {64, 48}));
    ASSERT_EQ(pictures_.size(), 4U);
    std::vector<std::size_t> shown;
    std::size_t picture = 0;
    for (const std::size_t hundredths : {7U, 3U, 23U, 20U})
      shown.insert(shown.end(), hundredths, picture++);
    expect_rounds(file, {64, 48}, {100, 1}, shown, 0);
  }
}

TEST_F(ClipFile, ShowsWhatAnEditListLeavesOfIt) {
  ASSERT_NO_FATAL_FAILURE(
      run("-f lavfi -i testsrc=size=64x48:rate=25 -frames:v 40 -c:v libx264 -pix_fmt yuv420p -bf 2 "
          "-g 10 " +
          path("whole.mov")));
  ASSERT_NO_FATAL_FAILURE(
      run("-ss 0.52 -i " + path("whole.mov") + " -t 0.6 -c copy " + path("a.mov")));
  ASSERT_NO_FATAL_FAILURE(decode("a.mov", {64, 48}));
  ASSERT_GE(pictures_.size(), 10U);
  ASSERT_LT(pictures_.size(), 25U);
  expect_rounds("a.mov", {64, 48}, {25, 1}, one_after_another(pictures_.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ClipFormats,
    ::testing::Values(
        ClipFormat{"Mpeg4", "a.avi", {320, 240}, {25, 1}, "-c:v mpeg4 -q:v 2", 0},
        ClipFormat{"H264", "a.mp4", {322, 182}, {30000, 1001}, "-c:v libx264 -pix_fmt yuv420p", 0},
        ClipFormat{"H264Of444", "a.mkv", {160, 90}, {60, 1}, "-c:v libx264 -pix_fmt yuv444p", 0},
        ClipFormat{
            "H264Of10Bits", "a.mkv", {176, 144}, {24, 1}, "-c:v libx264 -pix_fmt yuv420p10le", 2.5},
        ClipFormat{
            "H264FullRange", "a.mp4", {192, 108}, {50, 1}, "-c:v libx264 -pix_fmt yuvj420p", 0},
        ClipFormat{"Hevc",
                   "a.mp4",
                   {192, 108},
                   {50, 1},
                   "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p",
                   0},
        ClipFormat{"Vp8", "a.webm", {128, 72}, {30, 1}, "-c:v libvpx -b:v 1M", 0},
        ClipFormat{
            "Vp9", "a.webm", {130, 74}, {15, 1}, "-c:v libvpx-vp9 -b:v 1M -pix_fmt yuv420p", 0},
        ClipFormat{"Av1", "a.mkv", {64, 64}, {30, 1}, "-c:v libaom-av1 -cpu-used 8 -b:v 1M", 0},
        ClipFormat{"Mjpeg", "a.avi", {200, 120}, {24, 1}, "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p", 0},
        ClipFormat{
            "MjpegOf422", "a.mov", {200, 120}, {24, 1}, "-c:v mjpeg -q:v 2 -pix_fmt yuvj422p", 0},
        ClipFormat{
            "ProRes", "a.mov", {240, 136}, {25, 1}, "-c:v prores_ks -pix_fmt yuv422p10le", 1},
        ClipFormat{"DnxHr",
                   "a.mov",
                   {256, 144},
                   {25, 1},
                   "-c:v dnxhd -profile:v dnxhr_sq -pix_fmt yuv422p",
                   0},
        ClipFormat{"Ffv1OfRgb", "a.mkv", {100, 75}, {12, 1}, "-c:v ffv1 -pix_fmt bgr0", 0},
        ClipFormat{"Ffv1OfGray", "a.mkv", {99, 75}, {12, 1}, "-c:v ffv1 -pix_fmt gray", 0},
        ClipFormat{"Ffv1Of410", "a.mkv", {128, 96}, {12, 1}, "-c:v ffv1 -pix_fmt yuv410p", 5.5},
        ClipFormat{"Ffv1Of411", "a.mkv", {128, 96}, {12, 1}, "-c:v ffv1 -pix_fmt yuv411p", 3},
        ClipFormat{"Huffyuv", "a.avi", {102, 50}, {60, 1}, "-c:v huffyuv -pix_fmt rgb24", 0},
        ClipFormat{"UtVideo", "a.avi", {64, 48}, {120, 1}, "-c:v utvideo -pix_fmt gbrp", 0},
        ClipFormat{
            "QuickTimeAnimation", "a.mov", {81, 61}, {10, 1}, "-c:v qtrle -pix_fmt rgb24", 0},
        ClipFormat{"Png", "a.mov", {81, 61}, {10, 1}, "-c:v png -pix_fmt rgb24", 0},
        ClipFormat{"Gif", "a.gif", {96, 54}, {10, 1}, "-c:v gif", 0},
        ClipFormat{"Theora", "a.ogv", {160, 96}, {30, 1}, "-c:v libtheora -q:v 9", 0},
        ClipFormat{"Mpeg1", "a.mkv", {352, 240}, {25, 1}, "-c:v mpeg1video -q:v 2", 0},
        ClipFormat{"Mpeg2Of422",
                   "a.ts",
                   {352, 288},
                   {25, 1},
                   "-c:v mpeg2video -q:v 2 -pix_fmt yuv422p",
                   0},
        ClipFormat{"FlashVideo", "a.flv", {176, 128}, {15, 1}, "-c:v flv -q:v 2", 0},
        ClipFormat{"WindowsMedia", "a.wmv", {176, 128}, {25, 1}, "-c:v wmv2 -q:v 2", 0},
        ClipFormat{"V210", "a.mov", {96, 54}, {50, 1}, "-c:v v210 -pix_fmt yuv422p10le", 1},
        ClipFormat{
            "RawYuyv", "a.nut", {96, 54}, {60000, 1001}, "-c:v rawvideo -pix_fmt yuyv422", 2},
        ClipFormat{"Mpeg1Program", "a.mpg", {64, 48}, {25, 1}, "-c:v mpeg1video -bf 2 -q:v 31", 0},
        ClipFormat{
            "Mpeg2Program", "a.mpg", {160, 128}, {30000, 1001}, "-c:v mpeg2video -bf 2 -q:v 12", 0},
        ClipFormat{"Vob", "a.vob", {64, 48}, {25, 1}, "-c:v mpeg2video -bf 2 -q:v 31", 0},
        ClipFormat{"VobOfOneKey",
                   "a.vob",
                   {160, 128},
                   {30000, 1001},
                   "-c:v mpeg2video -bf 1 -g 100 -q:v 20",
                   0},
        ClipFormat{"ProgramWithoutB", "a.vob", {64, 48}, {25, 1}, "-c:v mpeg2video -q:v 31", 0},
        ClipFormat{"Mpeg4WithB", "a.avi", {160, 96}, {25, 1}, "-c:v mpeg4 -bf 2 -q:v 3", 0},
        ClipFormat{"Xvid", "a.avi", {160, 96}, {25, 1}, "-c:v libxvid -bf 2 -q:v 3", 0},
        ClipFormat{
            "RawH264", "a.h264", {160, 96}, {25, 1}, "-c:v libx264 -pix_fmt yuv420p -bf 2", 0},
        ClipFormat{"RawHevc",
                   "a.hevc",
                   {160, 96},
                   {25, 1},
                   "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p",
                   0},
        ClipFormat{"RawMpeg2", "a.m2v", {160, 96}, {25, 1}, "-c:v mpeg2video -bf 2 -q:v 3", 0},
        ClipFormat{"Nut", "a.nut", {96, 54}, {25, 1}, "-c:v ffv1 -pix_fmt bgr0", 0},
        ClipFormat{"TransportOfH264",
                   "a.ts",
                   {160, 96},
                   {25, 1},
                   "-c:v libx264 -pix_fmt yuv420p -bf 2",
                   0},
        ClipFormat{
            "TransportOfMpeg2", "a.ts", {160, 96}, {30000, 1001}, "-c:v mpeg2video -bf 2", 0},
        ClipFormat{
            "FlashH264", "a.flv", {160, 96}, {25, 1}, "-c:v libx264 -pix_fmt yuv420p -bf 2", 0},
        ClipFormat{"LiveMatroska",
                   "a.mkv",
                   {160, 96},
                   {25, 1},
                   "-c:v mpeg2video -bf 2 -f matroska -live 1",
                   0},
        ClipFormat{"LiveMatroskaOfH264",
                   "a.mkv",
                   {160, 96},
                   {25, 1},
                   "-c:v libx264 -pix_fmt yuv420p -bf 2 -f matroska -live 1",
                   0},
        ClipFormat{"Apng", "a.apng", {81, 61}, {10, 1}, "-c:v apng -plays 0", 0},
        ClipFormat{"ScreenRecording", "a.avi", {128, 80}, {5, 1}, "-c:v zmbv -pix_fmt bgr0", 0}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace submix::io
