// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/units.hpp"
#include "common/media/image.hpp"

#include <imgui.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

struct Point {
  int x = 0;
  int y = 0;
};

/// A virtual screen (Xvfb) with a real mouse and keyboard (xdotool). It can take screenshots
/// (import).
class Desktop {
 public:
  /// Empty if Xvfb does not start within ten seconds.
  [[nodiscard]] static std::optional<Desktop> start(Size size, std::filesystem::path folder);

  /// Programs started by this process from now on appear on this display.
  [[nodiscard]] const std::string& display() const { return display_; }
  [[nodiscard]] media::Rgb24Image screenshot() const;
  /// The display server ends, as by a crash.
  void end() { server_.send_signal(SIGKILL); }
  void move(Point to) const;
  void click(Point at) const;
  void double_click(Point at) const;
  /// The button stays down until release().
  void hold(Point at) const;
  void release() const;
  /// Slowly, as by hand.
  void drag(Point from, Point to) const;
  /// Upwards, notch by notch.
  void turn_wheel(Point at, int notches) const;
  void press(const std::string& keys) const;
  /// Several commands of xdotool in one go, without a pause between them: hasty hands.
  void act(const std::string& commands) const;
  /// Types letter by letter into the focused field; no apostrophes.
  void type(const std::string& words) const;

 private:
  Desktop(ChildProcess server, std::string display, std::filesystem::path folder)
      : server_(std::move(server)), display_(std::move(display)), folder_(std::move(folder)) {}

  ChildProcess server_;
  std::string display_;
  std::filesystem::path folder_;
};

/// Number of pixels in the area of `size` from `left_top` on for which `is_wanted` holds. It is
/// given three bytes: red, green, blue.
[[nodiscard]] std::size_t count_pixels(const media::Rgb24Image& image, Point left_top, Size size,
                                       const std::function<bool(const std::uint8_t*)>& is_wanted);
/// Number of pixels with exactly this colour, in the whole image.
[[nodiscard]] std::size_t count_pixels(const media::Rgb24Image& image, ImU32 color);

/// The centres of the areas of this colour on the vertical line at `x`. Lower areas than
/// `height_min` are left out.
[[nodiscard]] std::vector<Point> areas_below(const media::Rgb24Image& image, int x, ImU32 color,
                                             int height_min);
/// The same for every column of pixels from `x` on; each area appears once, by height.
[[nodiscard]] std::vector<Point> areas_below_any(const media::Rgb24Image& image, int x, ImU32 color,
                                                 int height_min);
/// The first pixel of this colour in reading order, moved three pixels into its area.
[[nodiscard]] std::optional<Point> find_pixel(const media::Rgb24Image& image, ImU32 color);

}  // namespace submix::ui
