// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <chrono>

namespace submix::host {

/// Tells a hung plugin from a slow plugin and from a plugin that waits for a core.
///
/// The limit for a frame is three frame times or 100 ms, whichever is more. It is also at least
/// four times this plugin's usual time, since some plugins are always slow. The first frame may
/// take a second, since some plugins build tables then. The first frame of a replacement host may
/// take four times the longest first frame so far. The caller may state a longer least limit.
///
/// Past the limit a plugin has hung if it computed for the whole limit, or if it is not computing
/// at all. If other programs kept it from computing, it may take ten times the limit.
///
/// Compatible. The caller passes the times.
class HangWatch {
 public:
  static constexpr std::chrono::milliseconds kLeastLimit{100};

  explicit HangWatch(FrameRate rate, std::chrono::nanoseconds least_limit = kLeastLimit);

  /// What the node sees of a host since it asked for the frame.
  struct Activity {
    std::chrono::nanoseconds waited{0};
    std::chrono::nanoseconds computed{0};
    bool is_computing = false;  ///< it computes, or waits for a core
  };

  [[nodiscard]] std::chrono::nanoseconds limit() const;
  [[nodiscard]] bool has_hung(const Activity& activity) const;
  void note_frame(std::chrono::nanoseconds took);
  /// The next frame comes from a new host: the first frame's limit applies again.
  void begin_anew() { has_made_one_ = false; }

 private:
  [[nodiscard]] std::chrono::nanoseconds first_limit() const;

  const std::chrono::nanoseconds least_;
  std::chrono::nanoseconds usual_{0};  // the longest recent frame
  std::chrono::nanoseconds first_{0};  // the longest first frame; 0: none was made
  bool has_made_one_ = false;
};

}  // namespace submix::host
