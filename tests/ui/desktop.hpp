// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/units.hpp"
#include "common/media/image.hpp"

#include <imgui.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

struct Point {
  int x = 0;
  int y = 0;
};

/// A screen without a monitor (Xvfb), with a real mouse and keyboard (xdotool) and pictures of it (import).
class Desktop {
 public:
  /// Empty when Xvfb does not come up within ten seconds.
  [[nodiscard]] static std::optional<Desktop> start(Size size, std::filesystem::path folder);

  /// Programs started from now on in this process appear on it.
  [[nodiscard]] const std::string& display() const { return display_; }
  [[nodiscard]] media::Rgb24Image screenshot() const;
  void move(Point to) const;
  void click(Point at) const;
  void double_click(Point at) const;
  /// The button stays down until release().
  void hold(Point at) const;
  void release() const;
  /// Slowly, as a hand does.
  void drag(Point from, Point to) const;
  /// Upwards, notch by notch.
  void turn_wheel(Point at, int notches) const;
  void press(const std::string& keys) const;
  /// Letter by letter, into what has the keyboard; no apostrophes.
  void type(const std::string& words) const;

 private:
  Desktop(ChildProcess server, std::string display, std::filesystem::path folder)
      : server_(std::move(server)), display_(std::move(display)), folder_(std::move(folder)) {}

  ChildProcess server_;
  std::string display_;
  std::filesystem::path folder_;
};

/// How many pixels have exactly this colour.
[[nodiscard]] std::size_t count_pixels(const media::Rgb24Image& image, ImU32 color);

/// The middles of the areas of this colour that a line from top to bottom at `x` meets, each at least
/// `height_min` high.
[[nodiscard]] std::vector<Point> areas_below(const media::Rgb24Image& image, int x, ImU32 color,
                                             int height_min);
/// The same for every column of pixels from `x` on; one for each area, by height.
[[nodiscard]] std::vector<Point> areas_below_any(const media::Rgb24Image& image, int x, ImU32 color,
                                                 int height_min);
/// The first pixel of this colour from the top left on, three pixels into its area.
[[nodiscard]] std::optional<Point> find_pixel(const media::Rgb24Image& image, ImU32 color);

}  // namespace submix::ui
