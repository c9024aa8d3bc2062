// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/picture_stream.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "node/io/pipe/picture_headers.hpp"
#include "tests/io/pipe/pipe_ends.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using testing::Bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Size kMatroskaSize{18, 16};

Bytes matroska_of(const std::vector<milliseconds>& times) {
  auto bytes = matroska_header(kMatroskaSize, {30, 1});
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto picture = testing::rgb_picture(kMatroskaSize.pixels(), static_cast<int>(i));
    testing::append(bytes, matroska_cluster(picture.size(), times[i]));
    testing::append(bytes, picture);
  }
  return bytes;
}

struct ReadPictures {
  PictureShape shape;
  std::vector<Bytes> pictures;
  std::vector<milliseconds> times;
  std::string failure;
};

ReadPictures read_all(std::span<const std::uint8_t> bytes) {
  silence_ffmpeg();
  const auto file = testing::file_of(bytes);
  PictureStream stream({.direction = PipeDirection::in,
                        .format = PipeFormat::by_itself,
                        .data = file.get(),
                        .rate = {30, 1}});
  ReadPictures all;
  const auto shape = stream.open({});
  if (!shape) {
    all.failure = shape.error().message;
    return all;
  }
  all.shape = **shape;
  for (Bytes pixels;;) {
    const auto time = stream.next(pixels, {});
    if (!time) all.failure = time.error().message;
    if (!time || !*time) return all;
    all.pictures.push_back(pixels);
    all.times.push_back(std::chrono::duration_cast<milliseconds>(**time));
  }
}

ReadPictures read_all(std::string_view text) {
  return read_all(Bytes(text.begin(), text.end()));
}

TEST(MatroskaInAPipe, ComeBackWithTheirTimes) {
  const auto all = read_all(matroska_of({milliseconds(0), milliseconds(33), milliseconds(200)}));
  EXPECT_EQ(all.failure, "");
  EXPECT_EQ(all.shape.size, kMatroskaSize);
  EXPECT_EQ(all.shape.pixel_format, AV_PIX_FMT_RGB24);
  EXPECT_NEAR(all.shape.rate->frames_per_second(), 30, 0.001);
  EXPECT_THAT(all.times, ElementsAre(milliseconds(0), milliseconds(33), milliseconds(200)));
  ASSERT_EQ(all.pictures.size(), 3U);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(all.pictures[static_cast<std::size_t>(i)],
              testing::rgb_picture(kMatroskaSize.pixels(), i));
}

TEST(MatroskaInAPipe, ATruncationLeavesWholePicturesOnly) {
  const auto bytes = matroska_of({milliseconds(0), milliseconds(33)});
  const auto header = matroska_header(kMatroskaSize, {30, 1}).size();
  const auto cluster = (bytes.size() - header) / 2;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto all = read_all(std::span(bytes).first(length));
    ASSERT_EQ(all.pictures.size(), length < header + cluster ? 0 : 1) << length;
    for (const auto& picture : all.pictures)
      EXPECT_EQ(picture, testing::rgb_picture(kMatroskaSize.pixels(), 0));
  }
}

TEST(MatroskaInAPipe, DamagedBytesFailAndDoNotHang) {
  const auto seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto good = matroska_of({milliseconds(0)});
  const auto header = matroska_header(kMatroskaSize, {30, 1}).size();
  for (int round = 0; round < 3000; ++round) {
    auto bytes = good;
    for (auto count = 1 + random() % 4; count > 0; --count)
      bytes[random() % (header + 20)] = static_cast<std::uint8_t>(random());
    EXPECT_LE(read_all(bytes).pictures.size(), 1U);
  }
}

TEST(MatroskaInAPipe, APictureOfAnotherSizeThanTheTracksIsRefused) {
  auto bytes = matroska_header(kMatroskaSize, {30, 1});
  testing::append(bytes, matroska_cluster(100, milliseconds(0)));
  testing::append(bytes, Bytes(100));
  EXPECT_THAT(read_all(bytes).failure,
              HasSubstr("picture 1 has 100 bytes, but one of 18x16 has 864"));
}

TEST(MatroskaInAPipe, BytesOfAnotherKindAreNamed) {
  EXPECT_THAT(read_all(Bytes(64, 0)).failure, HasSubstr("neither Y4M nor Matroska"));
  EXPECT_THAT(read_all("\x1A\x45\xDF\xA3 and no more of it").failure,
              HasSubstr("no Matroska that can be read"));
}

/// Ten pictures that FFmpeg has written.
class MatroskaOfFfmpeg : public ::testing::Test {
 protected:
  ReadPictures written_with(std::vector<std::string> words) {
    const auto file = (folder_ / "pictures.mkv").string();
    std::vector<std::string> command{
        "ffmpeg",    "-nostdin", "-y",
        "-loglevel", "error",    "-f",
        "lavfi",     "-i",       "testsrc=size=48x32:rate=25:duration=0.4"};
    command.insert(command.end(), words.begin(), words.end());
    command.push_back(file);
    auto ffmpeg = ChildProcess::start(command, folder_ / "ffmpeg.log");
    EXPECT_TRUE(ffmpeg);
    EXPECT_TRUE(testing::eventually([&] { return ffmpeg->exit_status().has_value(); }));
    const auto text = read_text_file(file).value();
    return read_all(Bytes(text.begin(), text.end()));
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(MatroskaOfFfmpeg, IsReadInThePixelsThatItHas) {
  for (const auto& [name, format] :
       {std::pair("yuv420p", AV_PIX_FMT_YUV420P), std::pair("yuyv422", AV_PIX_FMT_YUYV422)}) {
    const auto all = written_with({"-c:v", "rawvideo", "-pix_fmt", name});
    EXPECT_EQ(all.failure, "") << name;
    EXPECT_EQ(all.shape.pixel_format, format) << name;
    EXPECT_EQ(all.shape.size, (Size{48, 32})) << name;
    EXPECT_EQ(all.pictures.size(), 10U) << name;
  }
}

// FFmpeg writes no word about the order of the colours.
TEST_F(MatroskaOfFfmpeg, WithRgbIsRefusedWithTheRemedy) {
  const auto all = written_with({"-c:v", "rawvideo", "-allow_raw_vfw", "1", "-pix_fmt", "rgb24"});
  EXPECT_THAT(all.failure, HasSubstr("does not tell the kind of its pixels"));
  EXPECT_THAT(all.failure, HasSubstr("ffmpeg -i FILE -pix_fmt yuv444p -f yuv4mpegpipe -"));
}

TEST_F(MatroskaOfFfmpeg, WithCompressedPicturesIsRefusedWithTheRemedy) {
  const auto all = written_with({"-c:v", "mpeg4"});
  EXPECT_THAT(all.failure, HasSubstr("compressed pictures (mpeg4)"));
  EXPECT_THAT(all.failure,
              HasSubstr("ffmpeg -i FILE -pix_fmt yuv444p -f yuv4mpegpipe - | submix pipe in NAME"));
}

// As FFmpeg 5.1, GStreamer 1.22 and mjpegtools write them.
TEST(Y4mInAPipe, HeadersOfOtherProgramsAreRead) {
  const auto ffmpeg =
      read_all("YUV4MPEG2 W64 H48 F25:1 Ip A4:3 C420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL\n").shape;
  EXPECT_EQ(ffmpeg.size, (Size{64, 48}));
  EXPECT_EQ(ffmpeg.rate, (FrameRate{25, 1}));
  EXPECT_EQ(ffmpeg.pixel_format, AV_PIX_FMT_YUV420P);
  EXPECT_TRUE(ffmpeg.has_full_range);
  EXPECT_EQ(std::pair(ffmpeg.aspect_numerator, ffmpeg.aspect_denominator), std::pair(4, 3));

  const auto gstreamer = read_all("YUV4MPEG2 C420 W320 H240 Ip F30:1 A1:1\n").shape;
  EXPECT_EQ(gstreamer.size, (Size{320, 240}));
  EXPECT_FALSE(gstreamer.has_full_range);

  const auto mjpegtools = read_all("YUV4MPEG2 W720 H576 F24:1 Ib A0:0\n").shape;
  EXPECT_EQ(mjpegtools.pixel_format, AV_PIX_FMT_YUV420P);
}

TEST(Y4mInAPipe, AHeaderThatIsWrongIsRefused) {
  EXPECT_THAT(read_all("YUV4MPEG2 W320 F30:1\n").failure, HasSubstr("no Y4M that can be read"));
  EXPECT_THAT(read_all("YUV4MPEG2 W-5 H240\n").failure, HasSubstr("no Y4M that can be read"));
  EXPECT_THAT(read_all("YUV4MPEG2 W9000 H240 F30:1\n").failure,
              HasSubstr("9000x240 are not within"));
  EXPECT_THAT(read_all("YUV4MPEG2 W320 H240 C999\n").failure,
              HasSubstr("ffmpeg -i FILE -pix_fmt yuv444p"));
  EXPECT_THAT(read_all("YUV4").failure, HasSubstr("no Y4M that can be read"));
}

TEST(Y4mInAPipe, ATruncationIsNamedUnlessItIsBetweenPictures) {
  Bytes bytes;
  testing::append(bytes, y4m_header({16, 16}, {30, 1}));
  const auto header = bytes.size();
  for (int i = 0; i < 2; ++i) {
    testing::append(bytes, kY4mFrame);
    testing::append(bytes, testing::rgb_picture(256, i));
  }
  const auto picture = (bytes.size() - header) / 2;
  for (std::size_t length = header + picture; length < bytes.size(); ++length) {
    const auto all = read_all(std::span(bytes).first(length));
    ASSERT_EQ(all.pictures.size(), 1U) << length;
    EXPECT_EQ(all.failure.empty(), length == header + picture) << length << ": " << all.failure;
  }
}

}  // namespace
}  // namespace submix::io
