// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace submix::io {

/// Whether the disk has room for a recording at its present data rate.
///
/// Shape    look() is called each second. The room is short below `seconds_wanted`, and enough
///          again above one and a half times as much, so the answer does not flicker.
/// Threads  Compatible.
class DiskRoom {
 public:
  explicit DiskRoom(double seconds_wanted = 0) : seconds_wanted_(seconds_wanted) {}

  /// `bytes_free`: empty if unknown. `seconds`: the show's time since the last call.
  void look(std::uint64_t bytes_written, std::optional<std::uint64_t> bytes_free, double seconds);

  [[nodiscard]] bool is_short() const { return is_short_; }
  /// "room for 41 s more (510 MB at 12.5 MB/s)"
  [[nodiscard]] std::string text() const;

 private:
  double seconds_wanted_;
  double bytes_per_second_ = 0;  // 0: not known yet
  std::uint64_t bytes_before_ = 0;
  double bytes_free_ = 0;
  bool is_short_ = false;
};

}  // namespace submix::io
