// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>

namespace submix::host {

/// When a plugin has hung, as opposed to being slow or to waiting for a core.
///
/// A frame may take three frame times, or 100 ms where that is more; but also four times what this plugin has
/// been seen to take, since some always take longer. The first one may take a second, since some build tables
/// then; that of another host four times what the longest first one took. Past that it has hung if it
/// computed for as long, or if it does not compute at all; if other programs kept it from computing, it may
/// take ten times as long.
///
/// Compatible; no clock of its own.
class HangWatch {
 public:
  explicit HangWatch(FrameRate rate);

  /// What a host is seen to do, since it was asked for the frame.
  struct Sight {
    std::chrono::nanoseconds waited{0};
    std::chrono::nanoseconds computed{0};
    bool is_computing = false;  ///< or waits for a core
  };

  [[nodiscard]] std::chrono::nanoseconds limit() const;
  [[nodiscard]] bool has_hung(const Sight& sight) const;
  void note_frame(std::chrono::nanoseconds took);
  /// Another host makes the next one: that one's first.
  void begin_anew() { has_made_one_ = false; }

 private:
  [[nodiscard]] std::chrono::nanoseconds first_limit() const;

  const std::chrono::nanoseconds least_;
  std::chrono::nanoseconds usual_{0};  // the longest of late
  std::chrono::nanoseconds first_{0};  // the longest of all first ones; 0: none was made
  bool has_made_one_ = false;
};

}  // namespace submix::host
