// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scaler.hpp"

#include "common/media/pixels.hpp"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace submix::media {
namespace {

std::vector<std::uint8_t> speckled(std::size_t bytes) {
  std::vector<std::uint8_t> pixels(bytes);
  std::uint32_t state = 20;
  for (auto& value : pixels)
    value = static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 24);
  return pixels;
}

SourcePicture rgb24_source(Size size, const std::vector<std::uint8_t>& pixels) {
  SourcePicture source;
  source.size = size;
  source.format = AV_PIX_FMT_RGB24;
  source.planes[0] = pixels.data();
  source.strides_bytes[0] = size.width * 3;
  return source;
}

TargetPicture rgb24_target(Size size, std::vector<std::uint8_t>& pixels) {
  TargetPicture target;
  target.size = size;
  target.format = AV_PIX_FMT_RGB24;
  target.planes[0] = pixels.data();
  target.strides_bytes[0] = size.width * 3;
  target.has_full_range = true;
  return target;
}

/// A single colour in planes of YUV 4:2:0, with the padding that decoders leave.
struct FlatYuv {
  FlatYuv(Size size, std::uint8_t y, std::uint8_t u, std::uint8_t v) {
    const auto stride = (size.width + 63) / 64 * 64;
    luma.assign(static_cast<std::size_t>(stride) * static_cast<std::size_t>(size.height + 1) + 64,
                y);
    blue.assign(luma.size(), u);
    red.assign(luma.size(), v);
    source.size = size;
    source.format = AV_PIX_FMT_YUV420P;
    source.planes = {luma.data(), blue.data(), red.data(), nullptr};
    source.strides_bytes = {stride, stride / 2, stride / 2, 0};
  }
  std::vector<std::uint8_t> luma, blue, red;
  SourcePicture source;
};

struct Rgb {
  int red, green, blue;
};

void expect_flat(const std::vector<std::uint8_t>& rgba, Rgb expected) {
  // Two steps of tolerance: libswscale's vector code rounds to 8 bits on the way.
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    ASSERT_LE(std::abs(rgba[i] - expected.red), 2) << "pixel " << i / 4 << ": " << int{rgba[i]};
    ASSERT_LE(std::abs(rgba[i + 1] - expected.green), 2)
        << "pixel " << i / 4 << ": " << int{rgba[i + 1]};
    ASSERT_LE(std::abs(rgba[i + 2] - expected.blue), 2)
        << "pixel " << i / 4 << ": " << int{rgba[i + 2]};
    ASSERT_EQ(rgba[i + 3], 255) << "pixel " << i / 4;
  }
}

TEST(Scaler, Rgb24ToRgbaAndBackIsExactAtEveryWidth) {
  Scaler forth;
  Scaler back;
  for (int width = 16; width < 70; ++width) {
    const Size size{width, 17};
    const auto pixels = speckled(size.pixels() * 3);
    std::vector<std::uint8_t> rgba(size.pixels() * 4);
    ASSERT_TRUE(forth.convert(rgb24_source(size, pixels), rgba_target(size, rgba)));
    std::vector<std::uint8_t> unpacked(rgba.size());
    unpack_rgb24(pixels, unpacked);
    ASSERT_EQ(rgba, unpacked) << width;

    SourcePicture source;
    source.size = size;
    source.format = AV_PIX_FMT_RGBA;
    source.planes[0] = rgba.data();
    source.strides_bytes[0] = width * 4;
    std::vector<std::uint8_t> again(pixels.size());
    ASSERT_TRUE(back.convert(source, rgb24_target(size, again)));
    ASSERT_EQ(again, pixels) << width;
  }
}

TEST(Scaler, FillsEveryPixelOfAYuvPictureAtEveryWidth) {
  Scaler scaler;
  for (int width = 16; width < 70; ++width) {
    const Size size{width, 18};
    FlatYuv yuv(size, 235, 128, 128);
    std::vector<std::uint8_t> rgba(size.pixels() * 4);
    ASSERT_TRUE(scaler.convert(yuv.source, rgba_target(size, rgba)));
    ASSERT_NO_FATAL_FAILURE(expect_flat(rgba, {255, 255, 255})) << width;
  }
}

TEST(Scaler, WritesNothingBesideItsRectangle) {
  constexpr Size kFrame{64, 40};
  Scaler scaler;
  for (int width = 17; width < 60; ++width) {
    std::vector<std::uint8_t> rgba(kFrame.pixels() * 4, 7);
    FlatYuv yuv({32, 20}, 16, 128, 128);
    auto target = rgba_target(kFrame, rgba);
    target.planes[0] += (kFrame.width - width) * 4;  // at the right edge, to the last row
    target.size.width = width;
    ASSERT_TRUE(scaler.convert(yuv.source, target));
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      const bool inside = static_cast<int>(i / 4 % 64) >= kFrame.width - width;
      ASSERT_EQ(rgba[i] == 7, !inside) << "width " << width << ", pixel " << i / 4;
    }
  }
}

struct FrameDeleter {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
using FramePointer = std::unique_ptr<AVFrame, FrameDeleter>;

/// A grey picture in one of libavutil's formats of 8 bits.
FramePointer grey(Size size, AVPixelFormat format, std::uint8_t luma, AVColorRange range) {
  FramePointer frame(av_frame_alloc());
  frame->width = size.width;
  frame->height = size.height;
  frame->format = format;
  frame->color_range = range;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  const auto* description = av_pix_fmt_desc_get(format);
  for (int part = 0; part < description->nb_components; ++part) {
    const auto& component = description->comp[part];
    const int halved = part == 0 ? 0 : description->log2_chroma_h;
    const int rows = (size.height + halved) >> halved;
    const int bytes = frame->linesize[component.plane] * rows;
    for (int at = component.offset; at < bytes; at += component.step)
      frame->data[component.plane][at] = part == 0 ? luma : 128;
  }
  return frame;
}

/// The value of all pixels, of each colour. -1: they differ.
int shown(const AVFrame& picture, Size size) {
  std::vector<std::uint8_t> rgba(size.pixels() * 4);
  Scaler scaler;
  EXPECT_TRUE(scaler.convert(source_picture(picture), rgba_target(size, rgba)));
  for (std::size_t i = 0; i < rgba.size(); ++i) {
    if (i % 4 != 3 && rgba[i] != rgba[0]) return -1;
  }
  return rgba[0];
}

TEST(Scaler, ShowsWhiteAsWhiteAndBlackAsBlack) {
  constexpr Size kFrom{64, 36};
  for (const auto format :
       {AV_PIX_FMT_YUYV422, AV_PIX_FMT_UYVY422, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P,
        AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV440P, AV_PIX_FMT_YUV444P}) {
    for (const auto to : {kFrom, Size{48, 24}, Size{100, 58}, Size{48, 23}, Size{101, 57}}) {
      for (const bool is_full : {false, true}) {
        const auto range = is_full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
        if (!is_full && format == AV_PIX_FMT_YUVJ422P) continue;
        EXPECT_EQ(shown(*grey(kFrom, format, is_full ? 255 : 235, range), to), 255)
            << format << " to " << to.width << ", full range: " << is_full;
        EXPECT_EQ(shown(*grey(kFrom, format, is_full ? 0 : 16, range), to), 0)
            << format << " to " << to.width << ", full range: " << is_full;
      }
    }
  }
}

TEST(Scaler, ShowsWhiteAsWhiteInOddSizes) {
  for (const auto size : {Size{64, 35}, Size{33, 17}, Size{16, 3}, Size{5, 5}}) {
    for (const auto format : {AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P}) {
      EXPECT_EQ(shown(*grey(size, format, 235, AVCOL_RANGE_MPEG), size), 255)
          << format << " of " << size.width << "x" << size.height;
    }
  }
}

TEST(Scaler, ConvertsTheLastOfOddRowsAsTheOthers) {
  constexpr Size kSize{48, 25};
  const FlatYuv padded(kSize, 81, 90, 240);
  std::vector<std::uint8_t> rgba(kSize.pixels() * 4);
  Scaler scaler;
  ASSERT_TRUE(scaler.convert(padded.source, rgba_target(kSize, rgba)));
  for (std::size_t i = 4; i < rgba.size(); ++i)
    ASSERT_EQ(rgba[i], rgba[i - 4]) << i;
}

TEST(Scaler, FollowsTheRangeThatThePictureStates) {
  constexpr Size kSize{32, 16};
  FlatYuv yuv(kSize, 235, 128, 128);
  std::vector<std::uint8_t> rgba(kSize.pixels() * 4);
  Scaler scaler;
  yuv.source.has_full_range = true;
  ASSERT_TRUE(scaler.convert(yuv.source, rgba_target(kSize, rgba)));
  expect_flat(rgba, {235, 235, 235});
  yuv.source.has_full_range = false;
  ASSERT_TRUE(scaler.convert(yuv.source, rgba_target(kSize, rgba)));
  expect_flat(rgba, {255, 255, 255});
}

TEST(Scaler, UsesTheColourMatrixOfThePicture) {
  // Pure red, by each matrix's definition.
  constexpr Size kSize{32, 16};
  std::vector<std::uint8_t> rgba(kSize.pixels() * 4);
  Scaler scaler;
  FlatYuv bt601(kSize, 81, 90, 240);
  bt601.source.color_space = AVCOL_SPC_SMPTE170M;
  ASSERT_TRUE(scaler.convert(bt601.source, rgba_target(kSize, rgba)));
  expect_flat(rgba, {254, 0, 0});
  FlatYuv bt709(kSize, 63, 102, 240);
  bt709.source.color_space = AVCOL_SPC_BT709;
  ASSERT_TRUE(scaler.convert(bt709.source, rgba_target(kSize, rgba)));
  expect_flat(rgba, {255, 1, 0});
}

TEST(Scaler, TakesBt709ForUnstatedHighDefinitionAnd601Below) {
  Scaler scaler;
  FlatYuv high({32, 720}, 63, 102, 240);
  std::vector<std::uint8_t> rgba(high.source.size.pixels() * 4);
  ASSERT_TRUE(scaler.convert(high.source, rgba_target(high.source.size, rgba)));
  expect_flat(rgba, {255, 1, 0});
  FlatYuv low({32, 576}, 81, 90, 240);
  rgba.resize(low.source.size.pixels() * 4);
  ASSERT_TRUE(scaler.convert(low.source, rgba_target(low.source.size, rgba)));
  expect_flat(rgba, {254, 0, 0});
}

TEST(Scaler, ChangesSize) {
  constexpr Size kFrom{20, 16};
  constexpr Size kTo{50, 34};
  std::vector<std::uint8_t> pixels(kFrom.pixels() * 3, 99);
  std::vector<std::uint8_t> rgba(kTo.pixels() * 4);
  Scaler scaler;
  ASSERT_TRUE(scaler.convert(rgb24_source(kFrom, pixels), rgba_target(kTo, rgba)));
  expect_flat(rgba, {99, 99, 99});
}

TEST(Scaler, NamesAFormatThatItCannotRead) {
  constexpr Size kSize{32, 16};
  std::vector<std::uint8_t> rgba(kSize.pixels() * 4);
  const std::vector<std::uint8_t> pixels(kSize.pixels() * 3);
  auto source = rgb24_source(kSize, pixels);
  source.format = AV_PIX_FMT_VAAPI;
  Scaler scaler;
  const auto converted = scaler.convert(source, rgba_target(kSize, rgba));
  ASSERT_FALSE(converted);
  EXPECT_NE(converted.error().message.find("vaapi"), std::string::npos)
      << converted.error().message;
  source.format = AV_PIX_FMT_RGB24;
  EXPECT_TRUE(scaler.convert(source, rgba_target(kSize, rgba)));
}

}  // namespace
}  // namespace submix::media
