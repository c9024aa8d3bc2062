// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace submix::io {

/// Reports the state of a pipe to the command `submix pipe`, one line at a time.
///
/// Shape    "picture 640x360 30/1 y4m": the first picture has been read
///          "count 120 3": pictures written or shown so far, and those left out
///          "over": nothing more comes, or nobody reads any more
///          "broken REASON": the same, by a fault
/// Threads  Synchronized: each line is one write.
/// Errors   A line that finds no room is dropped: nobody waits for the command.
class PipeStatus {
 public:
  /// Between two counts.
  static constexpr std::chrono::seconds kCountPeriod{1};

  /// `descriptor` is inherited and non-blocking.
  explicit PipeStatus(int descriptor) : descriptor_(descriptor) {}

  void count(std::uint64_t pictures, std::uint64_t left_out) const;
  void over() const;
  void broken(std::string_view reason) const;
  void write_line(std::string_view line) const;

 private:
  const int descriptor_;
};

}  // namespace submix::io
