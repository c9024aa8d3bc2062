// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_in.hpp"

#include "common/media/pixels.hpp"
#include "node/io/pipe/picture_headers.hpp"
#include "tests/io/pipe/pipe_ends.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

using testing::Bytes;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::PipeEnds;

constexpr Size kInSize{32, 16};
constexpr std::size_t kInPixels = 32 * 16;

/// A slot "pipe-in" that reads what a test writes.
class PipeInTest : public ::testing::Test {
 protected:
  void begin(PipeFormat format, bool is_lossless = true, Size pictures = kInSize) {
    add_pipe_in(catalog_, {.direction = PipeDirection::in,
                           .format = format,
                           .data = pipe_.reading.get(),
                           .status = status_.writing.get(),
                           .is_lossless = is_lossless,
                           .size = pictures,
                           .rate = {30, 1}});
    plugin_ = catalog_.create("pipe-in", rig_.setup({.id = "pipe-in"}, {})).value();
  }
  void write(const Bytes& bytes) const { pipe_.write(bytes); }
  void end_writer() { pipe_.writing = Descriptor(); }

  /// The next frame of the show, without alpha.
  Bytes next_frame() {
    const auto frame = rig_.make(*plugin_, position_++);
    Bytes rgb(3 * kInPixels);
    media::pack_rgb24(frame.rgba(), rgb);
    return rgb;
  }
  /// Makes frames until the node would tell the command that the pipe has ended.
  std::string status_at_end() {
    std::string status = status_.text_so_far();
    const auto has_ended = [&] {
      static_cast<void>(next_frame());
      status += status_.text_so_far();
      return status.find("over\n") != std::string::npos ||
             status.find("broken ") != std::string::npos;
    };
    EXPECT_TRUE(testing::eventually(has_ended));
    return status;
  }
  [[nodiscard]] bool tells(const std::string& part) {
    return testing::eventually([&] {
      told_ += status_.text_so_far();
      return told_.find(part) != std::string::npos;
    });
  }

 private:
  PipeEnds pipe_;
  const PipeEnds status_;
  std::string told_;
  testing::PluginRig rig_{kInSize};
  plugin::Catalog catalog_{std::vector<std::filesystem::path>()};
  std::unique_ptr<plugin::Plugin> plugin_;
  std::uint64_t position_ = 0;
};

TEST_F(PipeInTest, RawPicturesArriveByteForByte) {
  begin(PipeFormat::raw);
  for (int i = 0; i < 8; ++i) {
    const auto picture = testing::rgb_picture(kInPixels, i);
    write(picture);
    EXPECT_EQ(next_frame(), picture) << i;
  }
}

TEST_F(PipeInTest, PicturesOfMatroskaArriveByteForByteAndAreFoundByItself) {
  begin(PipeFormat::by_itself);
  write(matroska_header(kInSize, {30, 1}));
  for (int i = 0; i < 8; ++i) {
    const auto picture = testing::rgb_picture(kInPixels, i);
    write(matroska_cluster(picture.size(), std::chrono::milliseconds(33 * i)));
    write(picture);
    EXPECT_EQ(next_frame(), picture) << i;
  }
  EXPECT_TRUE(tells("picture 32x16 30/1 matroska\n"));
}

/// A picture of one luminance.
Bytes y4m_grey(std::uint8_t luminance) {
  Bytes bytes;
  testing::append(bytes, "FRAME\n");
  bytes.insert(bytes.end(), kInPixels, luminance);
  bytes.insert(bytes.end(), 2 * kInPixels, 128);
  return bytes;
}

TEST_F(PipeInTest, GreysOfY4mHaveTheirRangeOfLuminance) {
  begin(PipeFormat::by_itself);
  Bytes header;
  testing::append(header, "YUV4MPEG2 W32 H16 F30:1 C444\n");
  write(header);
  for (const auto& [luminance, grey] :
       {std::pair(16, 0), std::pair(235, 255), std::pair(126, 128)}) {
    write(y4m_grey(static_cast<std::uint8_t>(luminance)));
    EXPECT_THAT(next_frame(), Each(grey));
  }
}

TEST_F(PipeInTest, APictureOfAnotherSizeIsFitted) {
  begin(PipeFormat::raw, true, {64, 32});
  write(Bytes(3 * 64 * 32, 200));
  EXPECT_THAT(next_frame(), Each(200));
}

TEST_F(PipeInTest, NoFrameWaitsForASilentWriter) {
  begin(PipeFormat::raw, false);
  EXPECT_THAT(next_frame(), Each(0));
  const auto picture = testing::rgb_picture(kInPixels, 1);
  write(picture);
  EXPECT_TRUE(testing::eventually([&] { return next_frame() == picture; }));
  EXPECT_EQ(next_frame(), picture) << "it stays";
}

TEST_F(PipeInTest, PicturesFasterThanTheShowAreLeftOutAndCounted) {
  begin(PipeFormat::by_itself, false);
  Bytes all;
  testing::append(all, "YUV4MPEG2 W32 H16 F240:1 C444\n");
  for (int i = 0; i < 40; ++i)
    testing::append(all, y4m_grey(static_cast<std::uint8_t>(100 + i)));
  std::jthread writer([&] { write(all), end_writer(); });
  const auto status = status_at_end();
  const auto count = status.rfind("count ");
  ASSERT_NE(count, std::string::npos);
  int shown = 0;
  int left_out = 0;
  ASSERT_EQ(std::sscanf(status.c_str() + count, "count %d %d", &shown, &left_out), 2);
  EXPECT_GT(left_out, 0);
  EXPECT_EQ(shown + left_out, 40);
}

TEST_F(PipeInTest, TheLastPictureStaysForASecondAfterTheEnd) {
  begin(PipeFormat::raw);
  const auto picture = testing::rgb_picture(kInPixels, 1);
  write(picture);
  end_writer();
  for (int frame = 0; frame < 30; ++frame)
    EXPECT_EQ(next_frame(), picture);
  EXPECT_THAT(status_at_end(), HasSubstr("count 1 0\nover\n"));
}

TEST_F(PipeInTest, APictureThatIsCutOffIsNamedAfterTheOthersWereShown) {
  begin(PipeFormat::raw);
  write(testing::rgb_picture(kInPixels, 0));
  write(Bytes(100));
  end_writer();
  EXPECT_EQ(next_frame(), testing::rgb_picture(kInPixels, 0));
  EXPECT_THAT(status_at_end(),
              HasSubstr("broken the stream ends within picture 2: 100 of 1536 bytes have come"));
}

TEST_F(PipeInTest, BytesLostWithinY4mAreNamed) {
  begin(PipeFormat::y4m);
  Bytes bytes;
  testing::append(bytes, "YUV4MPEG2 W32 H16 F30:1 C444\n");
  testing::append(bytes, y4m_grey(100));
  testing::append(bytes, "FRA\n");
  write(bytes);
  EXPECT_THAT(status_at_end(), HasSubstr("broken Y4M: picture 2: bytes are missing or damaged"));
}

TEST_F(PipeInTest, WrongBytesAreToldBeforeTheFirstFrame) {
  begin(PipeFormat::by_itself);
  Bytes bytes;
  testing::append(bytes, "GIF89a, and more of it");
  write(bytes);
  EXPECT_TRUE(tells("broken standard input is neither Y4M nor Matroska"));
}

TEST_F(PipeInTest, AnEmptyStreamIsToldBeforeTheFirstFrame) {
  begin(PipeFormat::by_itself);
  end_writer();
  EXPECT_TRUE(tells("broken standard input is empty: no picture came\n"));
}

}  // namespace
}  // namespace submix::io
