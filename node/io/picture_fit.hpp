// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/scaler.hpp"
#include "node/io/picture_turn.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct AVFrame;

namespace submix::io {

/// How to fit a picture whose aspect ratio differs from the show's.
enum class Fit {
  letterbox,  ///< the whole picture, with bars that are black and transparent
  fill,       ///< fills the frame; the picture's edges are cut off
  stretch,    ///< distorted
};

/// The names of the values, as a plugin's description has them.
[[nodiscard]] std::vector<std::string> fit_names();
/// Any other word gives `letterbox`. Checked parameters have only the names.
[[nodiscard]] Fit fit_named(std::string_view name);

/// A part of a picture, in pixels.
struct Rectangle {
  int x = 0;
  int y = 0;
  Size size;

  friend bool operator==(const Rectangle&, const Rectangle&) = default;
};

/// The largest rectangle in the middle of `size` with this aspect ratio, width / height.
[[nodiscard]] Rectangle fit_within(Size size, double aspect);

/// Paints decoded pictures of any size and format onto frames of the show.
///
/// Threads  Compatible.
/// Errors   The pixel format cannot be converted.
class PicturePainter {
 public:
  PicturePainter(Size size, Fit fit) : size_(size), fit_(fit) {}

  void set_fit(Fit fit) { fit_ = fit; }
  /// Fills all of `rgba`, a frame of the painter's size. The pixels of `picture` need not be
  /// square. A picture with a display matrix is turned.
  [[nodiscard]] Result<void> paint(const AVFrame& picture, std::span<std::uint8_t> rgba);

 private:
  [[nodiscard]] Result<void> fit_into(const AVFrame& picture, std::span<std::uint8_t> rgba,
                                      Size size);

  Size size_;
  Fit fit_;
  media::Scaler scaler_;
  std::vector<std::uint8_t> unturned_;  // the frame before a turn
};

}  // namespace submix::io
