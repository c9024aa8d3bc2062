// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "tests/ui/desktop.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace submix::ui {

/// A finger on one of the controller's windows, by touch_injector.cpp. It is made before the
/// controller starts.
///
/// Shape    `file` carries its touches. `window`: in pixels. `number`: 0 is the main window.
class Fingers {
 public:
  Fingers(std::string file, Size window, int number = 0)
      : file_(std::move(file)), window_(window), number_(number) {
    ::setenv("SUBMIX_TOUCHES", file_.c_str(), 1);
    append("");
  }
  ~Fingers() { ::unsetenv("SUBMIX_TOUCHES"); }
  Fingers(const Fingers&) = delete;
  Fingers& operator=(const Fingers&) = delete;

  void down(Point at) const { touch("down", at); }
  void move(Point at) const { touch("move", at); }
  void up(Point at) const { touch("up", at); }
  void tap(Point at) const {
    down(at);
    pause(300);
    up(at);
    pause(300);
  }
  void drag(Point from, Point to) const {
    constexpr int kSteps = 10;
    down(from);
    for (int i = 1; i <= kSteps; ++i) {
      pause(40);
      move({from.x + (to.x - from.x) * i / kSteps, from.y + (to.y - from.y) * i / kSteps});
    }
    pause(300);
    up(to);
  }
  /// Where the mouse is, in the main window.
  void drop(const std::string& file) const { append("drop " + file + "\n"); }
  /// As the window's frame does.
  void close_window() const { append("close " + std::to_string(number_) + "\n"); }

 private:
  static void pause(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
  void touch(const char* verb, Point at) const {
    append(std::string(verb) + " 1 " + std::to_string(static_cast<double>(at.x) / window_.width) +
           ' ' + std::to_string(static_cast<double>(at.y) / window_.height) + ' ' +
           std::to_string(number_) + '\n');
  }
  void append(std::string_view line) const {
    std::ofstream(file_, std::ios::app) << line << std::flush;
  }

  const std::string file_;
  const Size window_;
  const int number_;
};

}  // namespace submix::ui
