// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

struct AVFrame;

namespace submix::media {

/// Pixels to read, in any of libavutil's formats; a view without ownership.
struct SourcePicture {
  Size size;
  int format = -1;  ///< AVPixelFormat
  std::array<const std::uint8_t*, 4> planes{};
  std::array<int, 4> strides_bytes{};
  int color_space = 2;          ///< AVColorSpace; 2: not stated, BT.709 from 720 lines on
  bool has_full_range = false;  ///< 0 to 255 instead of 16 to 235; for Y'CbCr only
};

/// Pixels to write; a view.
struct TargetPicture {
  Size size;
  int format = -1;  ///< AVPixelFormat
  std::array<std::uint8_t*, 4> planes{};
  std::array<int, 4> strides_bytes{};
  bool has_full_range = false;
};

[[nodiscard]] SourcePicture source_picture(const AVFrame& frame);
[[nodiscard]] SourcePicture source_picture(const Frame& frame);
[[nodiscard]] TargetPicture target_picture(AVFrame& frame);
/// Rows of RGBA without padding; `pixels` holds exactly `size`.
[[nodiscard]] TargetPicture rgba_target(Size size, std::span<std::uint8_t> pixels);
/// Rows of YUYV 4:2:2, 16 to 235, without padding; the width is even.
[[nodiscard]] TargetPicture yuyv_target(Size size, std::span<std::uint8_t> pixels);

/// Converts between pixel formats and sizes, by libswscale.
///
/// Shape    Y'CbCr by its own matrix and range (BT.709 from 720 lines on if it states none); RGB to
///          RGB of the same size is exact. Scaling is bilinear. White of Y'CbCr is 255, black is 0,
///          except in targets of a single row (253).
/// Threads  Compatible; each user has its own.
/// Cost     The tables are made once for each pair of shapes; no allocation while the shapes stay.
///          To RGBA, 1280x720 YUYV takes 0.7 ms, 1920x1080 NV12 1.1 ms, and 1920x1080 YUV 4:2:0 to
///          1280x720 1.4 ms (one core of an AMD EPYC).
/// Errors   A format that libswscale cannot read or write.
class Scaler {
 public:
  Scaler();
  ~Scaler();
  Scaler(Scaler&&) noexcept;
  Scaler& operator=(Scaler&&) noexcept;

  [[nodiscard]] Result<void> convert(const SourcePicture& source, const TargetPicture& target);

 private:
  class Step;
  struct Steps;

  std::unique_ptr<Steps> steps_;
};

}  // namespace submix::media
