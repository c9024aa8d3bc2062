// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/scaler.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct AVFrame;

namespace submix::io {

/// What to do where a picture and the show differ in aspect.
enum class Fit {
  letterbox,  ///< all of it, with black bars
  fill,       ///< all of the frame, the picture's edges cut off
  stretch,    ///< distorted
};

/// The names of the values, for a plugin's description.
[[nodiscard]] std::vector<std::string> fit_names();
/// `letterbox` for any other word: descriptions let only the names pass.
[[nodiscard]] Fit fit_named(std::string_view name);

/// A part of a picture, in its pixels.
struct Rectangle {
  int x = 0;
  int y = 0;
  Size size;

  friend bool operator==(const Rectangle&, const Rectangle&) = default;
};

/// The largest rectangle of the aspect width:height within `size`, in its middle.
[[nodiscard]] Rectangle fit_within(Size size, double aspect);

/// Paints decoded pictures of any size and format onto frames of the show.
///
/// Threads  Compatible.
/// Errors   A pixel format that cannot be converted.
class PicturePainter {
 public:
  PicturePainter(Size size, Fit fit) : size_(size), fit_(fit) {}

  void set_fit(Fit fit) { fit_ = fit; }
  /// Fills all of `rgba`, a frame of the painter's size; pixels need not be square in `picture`.
  [[nodiscard]] Result<void> paint(const AVFrame& picture, std::span<std::uint8_t> rgba);

 private:
  Size size_;
  Fit fit_;
  media::Scaler scaler_;
};

}  // namespace submix::io
