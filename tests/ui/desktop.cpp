// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/desktop.hpp"

#include "common/base/files.hpp"
#include "common/media/png.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

// Longer than a frame of the window, so that the window sees each step of a movement.
constexpr auto kStep = 60ms;

void run(const std::string& display, const std::string& command) {
  const auto line = fmt::format("DISPLAY={} {} >/dev/null 2>&1", display, command);
  static_cast<void>(std::system(line.c_str()));
}

ImU32 pixel_at(const media::Rgb24Image& image, Point point) {
  const auto index = static_cast<std::size_t>(point.y * image.size.width + point.x) * 3;
  return IM_COL32(image.pixels[index], image.pixels[index + 1], image.pixels[index + 2], 255);
}

}  // namespace

std::optional<Desktop> Desktop::start(Size size, std::filesystem::path folder) {
  const auto number_file = folder / "display";
  const auto command = fmt::format("exec Xvfb -displayfd 3 -screen 0 {}x{}x24 -nolisten tcp 3>'{}'",
                                   size.width, size.height, number_file.string());
  auto server = ChildProcess::start({"sh", "-c", command}, folder / "xvfb.log");
  for (int i = 0; server && i < 200 && !server->exit_status(); ++i) {
    const auto number = read_text_file(number_file);
    if (number && number->ends_with('\n')) {
      return Desktop(std::move(*server), ":" + number->substr(0, number->size() - 1),
                     std::move(folder));
    }
    std::this_thread::sleep_for(50ms);
  }
  return std::nullopt;
}

media::Rgb24Image Desktop::screenshot() const {
  const auto file = folder_ / "screen.png";
  run(display_, fmt::format("import -window root -depth 8 '{}'", file.string()));
  return media::read_png(file).value_or(media::Rgb24Image());
}

void Desktop::move(Point to) const {
  run(display_, fmt::format("xdotool mousemove {} {}", to.x, to.y));
  std::this_thread::sleep_for(kStep);
}

void Desktop::click(Point at) const {
  move(at);
  run(display_, "xdotool mousedown 1");
  std::this_thread::sleep_for(2 * kStep);
  run(display_, "xdotool mouseup 1");
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::double_click(Point at) const {
  move(at);
  run(display_, "xdotool click --repeat 2 --delay 120 1");
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::hold(Point at) const {
  move(at);
  run(display_, "xdotool mousedown 1");
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::release() const {
  std::this_thread::sleep_for(2 * kStep);
  run(display_, "xdotool mouseup 1");
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::drag(Point from, Point to) const {
  constexpr int kSteps = 10;
  hold(from);
  for (int i = 1; i <= kSteps; ++i) {
    move({from.x + (to.x - from.x) * i / kSteps, from.y + (to.y - from.y) * i / kSteps});
  }
  release();
}

void Desktop::turn_wheel(Point at, int notches) const {
  move(at);
  run(display_, fmt::format("xdotool click --repeat {} --delay 200 4", notches));
}

void Desktop::press(const std::string& keys) const {
  run(display_, "xdotool key --delay 120 " + keys);
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::act(const std::string& commands) const {
  run(display_, "xdotool " + commands);
  std::this_thread::sleep_for(2 * kStep);
}

void Desktop::type(const std::string& words) const {
  run(display_, fmt::format("xdotool type --delay 60 '{}'", words));
  std::this_thread::sleep_for(2 * kStep);
}

std::size_t count_pixels(const media::Rgb24Image& image, Point left_top, Size size,
                         const std::function<bool(const std::uint8_t*)>& is_wanted) {
  std::size_t count = 0;
  for (int y = left_top.y; y < left_top.y + size.height; ++y) {
    for (int x = left_top.x; x < left_top.x + size.width; ++x) {
      if (is_wanted(&image.pixels[static_cast<std::size_t>(y * image.size.width + x) * 3])) ++count;
    }
  }
  return count;
}

std::size_t count_pixels(const media::Rgb24Image& image, ImU32 color) {
  return count_pixels(image, {}, image.size, [&](const std::uint8_t* rgb) {
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255) == color;
  });
}

std::vector<Point> areas_below(const media::Rgb24Image& image, int x, ImU32 color, int height_min) {
  std::vector<Point> middles;
  int first = -1;
  for (int y = 0; y <= image.size.height; ++y) {
    const bool is_inside = y < image.size.height && pixel_at(image, {x, y}) == color;
    if (is_inside && first < 0) first = y;
    if (is_inside || first < 0) continue;
    if (y - first >= height_min) middles.push_back({x, (first + y) / 2});
    first = -1;
  }
  return middles;
}

std::vector<Point> areas_below_any(const media::Rgb24Image& image, int x, ImU32 color,
                                   int height_min) {
  std::map<int, Point> by_height;
  for (; x < image.size.width; ++x) {
    for (const auto& middle : areas_below(image, x, color, height_min))
      by_height.try_emplace(middle.y, middle);
  }
  std::vector<Point> middles;
  for (const auto& [height, middle] : by_height)
    middles.push_back({middle.x + 3, middle.y});
  return middles;
}

std::optional<Point> find_pixel(const media::Rgb24Image& image, ImU32 color) {
  for (int y = 0; y < image.size.height; ++y) {
    for (int x = 0; x < image.size.width; ++x) {
      if (pixel_at(image, {x, y}) == color) return Point{x + 3, y + 3};
    }
  }
  return std::nullopt;
}

}  // namespace submix::ui
