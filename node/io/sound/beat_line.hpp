// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace submix::io {

/// A line through the last beats: a beat's number against its time. A tracker's single beats are up
/// to 20 ms early or late; the line averages them.
///
/// Threads  Compatible. No allocation.
class BeatLine {
 public:
  static constexpr std::size_t kBeatsMax = 16;

  /// `seconds`: time of the beat. `period`: seconds from beat to beat, by the tracker. A beat far
  /// from the line begins a new line.
  void add(double seconds, double period);
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  struct Fit {
    double period = 0.0;    ///< seconds
    double last = 0.0;      ///< time of the last beat, in seconds
    double distance = 0.0;  ///< of the beats from the line, in seconds (root mean square)
  };
  /// By least squares, from at least two beats.
  [[nodiscard]] Fit fit() const;

 private:
  struct Numbered {
    double seconds = 0.0;
    double number = 0.0;  // a whole number; numbers may be missing
  };
  void append(const Numbered& beat);

  std::array<Numbered, kBeatsMax> beats_{};  // the oldest first
  std::size_t size_ = 0;
};

}  // namespace submix::io
