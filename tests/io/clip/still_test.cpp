// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/still.hpp"

#include "common/media/png.hpp"
#include "node/io/ffmpeg.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Is never ready, and notes how long it was waited for.
class EndlessSource final : public PictureSource {
 public:
  explicit EndlessSource(std::chrono::nanoseconds& waited)
      : PictureSource("endless.svg"), waited_(waited) {}

  Result<bool> is_ready(SteadyTime deadline) override {
    waited_ = deadline - SteadyTime::clock::now();
    return false;
  }
  PaintedPicture paint(const PictureRequest&, media::WritableFrame,
                       const std::stop_token&) override {
    return {PaintedPicture::Outcome::stopped, std::nullopt};
  }
  [[nodiscard]] const SourceReport& report() const override { return report_; }

 private:
  std::chrono::nanoseconds& waited_;
  SourceReport report_;
};

class StillTest : public ::testing::Test {
 protected:
  void paint(const std::string& file, Size size, std::uint8_t red) {
    media::Rgb24Image image{size, std::vector<std::uint8_t>(size.pixels() * 3)};
    for (std::size_t i = 0; i < image.pixels.size(); i += 3)
      image.pixels[i] = red;
    ASSERT_TRUE(media::write_png(folder_ / file, image));
  }
  Result<std::unique_ptr<plugin::Plugin>> make(const std::string& file) {
    return make_still(rig_.setup(still_description(), {{"file", file}}), {folder_.path(), {}});
  }
  int red(plugin::Plugin& still, std::size_t x) {
    return rig_.make(still, 0).rgba()[(32 * 128 + x) * 4];
  }

  testing::TemporaryFolder folder_;
  testing::PluginRig rig_;
};

TEST_F(StillTest, ShowsAnImageLetterboxed) {
  paint("a.png", {100, 100}, 200);
  const auto still = make("a.png");
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_EQ(red(**still, 31), 0);
  EXPECT_EQ(red(**still, 64), 200);
  EXPECT_EQ(red(**still, 97), 0);
}

TEST_F(StillTest, FillsWhenTold) {
  paint("a.png", {100, 100}, 200);
  const auto still = make("a.png");
  ASSERT_TRUE(still);
  (*still)->set("fit", std::string("fill"));
  EXPECT_EQ(red(**still, 0), 200);
  EXPECT_EQ(red(**still, 127), 200);
}

TEST_F(StillTest, DoesNotWaitForAPipe) {
  const auto pipe = folder_ / "pipe.png";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto still = make("pipe.png");
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().message, HasSubstr("pipe.png: is not a plain file"));
}

// It has no mark at its beginning: FFmpeg knows it by its name.
TEST_F(StillTest, ShowsATargaImage) {
  const std::array<char, 18> header{0, 0, 2, 0,  0, 0,  0, 0,  0,
                                    0, 0, 0, 64, 0, 32, 0, 24, 0};  // 64x32, 24 bits
  std::ofstream file(folder_ / "A.TGA", std::ios::binary);
  file.write(header.data(), header.size());
  for (int i = 0; i < 64 * 32; ++i)
    file.write("\0\0\xc8", 3);  // blue, green, red
  file.close();
  const auto still = make("A.TGA");
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_EQ(red(**still, 64), 200);
}

TEST_F(StillTest, KeepsTheImageWhenTheNextCannotBeShown) {
  paint("a.png", {128, 64}, 200);
  const auto still = make("a.png");
  ASSERT_TRUE(still);
  (*still)->set("file", std::string("b.png"));
  EXPECT_EQ(red(**still, 5), 200);
  EXPECT_THAT(rig_.events.lines(),
              ElementsAre(HasSubstr("b.png: there is no such file; the image before")));
}

TEST_F(StillTest, DoesWithoutItsFileWhileItIsBypassedAndTakesItAfterwards) {
  auto setup = rig_.setup(still_description(), {{"file", "late.png"}});
  setup.is_bypassed = true;
  const auto still = make_still(setup, {folder_.path(), {}});
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_THAT((*still)->trouble(), HasSubstr("there is no such file"));
  paint("late.png", {128, 64}, 200);
  (*still)->try_again();
  EXPECT_EQ(red(**still, 5), 200);
  EXPECT_EQ((*still)->trouble(), "");
}

TEST_F(StillTest, LeadsFromNumberedPicturesToTheClip) {
  paint("a_0001.png", {128, 64}, 200);
  const auto still = make("a_%04d.png");
  ASSERT_FALSE(still);
  EXPECT_THAT(
      still.error().message,
      HasSubstr("a_%04d.png: there is no such file; the plugin clip plays numbered pictures"));
}

TEST_F(StillTest, IsTriedForLessTimeThanAControllerWaits) {
  paint("a.png", {100, 100}, 200);
  std::chrono::nanoseconds waited{0};
  const SourceOpener opener([&](OpenFile, const SourceSetup&) {
    return Result<std::unique_ptr<PictureSource>>(std::make_unique<EndlessSource>(waited));
  });
  auto setup = rig_.setup(still_description(), {{"file", "a.png"}});
  EXPECT_FALSE(make_still(setup, {folder_.path(), {}}, opener));
  EXPECT_GT(waited, std::chrono::seconds(9));

  setup.events = nullptr;  // a trial
  const auto made = make_still(setup, {folder_.path(), {}}, opener);
  ASSERT_FALSE(made);
  EXPECT_LT(waited, std::chrono::seconds(4));
  EXPECT_EQ(made.error().message,
            "left.still: image endless.svg: not one picture came within 3 s; take a simpler file, "
            "or copy it to a faster disk");
}

TEST_F(StillTest, NamesAMissingFile) {
  const auto still = make("a.png");
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().message, HasSubstr("a.png: there is no such file"));
}

/// A kind of image, as FFmpeg's encoder of this name writes it.
struct ImageKind {
  const char* encoder;
  AVPixelFormat format;
  const char* ending;
};

// Every part of every pixel is 200, so that the order of colours does not matter; chroma is 128.
FramePointer gray_frame(AVPixelFormat format) {
  auto frame = make_frame();
  frame->format = format;
  frame->width = 128;
  frame->height = 64;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  const bool is_planar = frame->data[1] != nullptr;
  for (int plane = 0; frame->data[plane] != nullptr; ++plane) {
    const int rows = plane == 0 ? frame->height : frame->height / 2;
    const auto bytes = static_cast<std::size_t>(frame->linesize[plane]) * std::size_t(rows);
    std::memset(frame->data[plane], is_planar && plane > 0 ? 128 : 200, bytes);
  }
  return frame;
}

/// The bytes of an image file. Empty: this FFmpeg has no such encoder.
std::string encoded(const ImageKind& kind) {
  const auto* codec = avcodec_find_encoder_by_name(kind.encoder);
  if (codec == nullptr) return {};
  const CodecPointer context(avcodec_alloc_context3(codec));
  context->width = 128;
  context->height = 64;
  context->pix_fmt = kind.format;
  context->color_range = AVCOL_RANGE_JPEG;
  context->time_base = {1, 25};
  context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;  // full range in WebP and JPEG
  EXPECT_EQ(avcodec_open2(context.get(), codec, nullptr), 0);
  const auto frame = gray_frame(kind.format);
  const auto packet = make_packet();
  EXPECT_EQ(avcodec_send_frame(context.get(), frame.get()), 0);
  EXPECT_EQ(avcodec_send_frame(context.get(), nullptr), 0);
  EXPECT_EQ(avcodec_receive_packet(context.get(), packet.get()), 0);
  return {packet->data, packet->data + packet->size};
}

class StillKinds : public StillTest, public ::testing::WithParamInterface<ImageKind> {};

TEST_P(StillKinds, AreShown) {
  const auto bytes = encoded(GetParam());
  if (bytes.empty()) GTEST_SKIP() << "this FFmpeg has no encoder " << GetParam().encoder;
  const std::string name = std::string("a") + GetParam().ending;
  std::ofstream(folder_ / name, std::ios::binary) << bytes;
  const auto still = make(name);
  ASSERT_TRUE(still) << still.error().message;
  EXPECT_NEAR(red(**still, 64), 200, 2);
}

INSTANTIATE_TEST_SUITE_P(Still, StillKinds,
                         ::testing::Values(ImageKind{"png", AV_PIX_FMT_RGB24, ".png"},
                                           ImageKind{"mjpeg", AV_PIX_FMT_YUVJ420P, ".jpg"},
                                           ImageKind{"bmp", AV_PIX_FMT_BGR24, ".bmp"},
                                           ImageKind{"tiff", AV_PIX_FMT_RGB24, ".tif"},
                                           ImageKind{"targa", AV_PIX_FMT_BGR24, ".tga"},
                                           ImageKind{"libwebp", AV_PIX_FMT_BGRA, ".webp"}),
                         [](const auto& kind) { return std::string(kind.param.ending).substr(1); });

}  // namespace
}  // namespace submix::io
