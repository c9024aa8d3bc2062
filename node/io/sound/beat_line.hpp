// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace submix::io {

/// The last beats, as a line: the number of a beat against its time. Single beats of a tracker are
/// up to 20 ms early or late; the line is not.
///
/// Threads  Compatible. No allocation.
class BeatLine {
 public:
  static constexpr std::size_t kBeatsMax = 16;

  /// `seconds`: when the beat was. `period`: seconds from beat to beat, as the tracker has it. A
  /// beat far from where the line has it begins a new line.
  void add(double seconds, double period);
  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  struct Fit {
    double period = 0.0;    ///< seconds
    double last = 0.0;      ///< time of the last beat, in seconds
    double distance = 0.0;  ///< of the beats from the line, in seconds: root of the mean square
  };
  /// By least squares. At least two beats are there.
  [[nodiscard]] Fit fit() const;

 private:
  struct Numbered {
    double seconds = 0.0;
    double number = 0.0;  // whole; beats may be missing between two
  };
  void append(const Numbered& beat);

  std::array<Numbered, kBeatsMax> beats_{};  // the oldest first
  std::size_t size_ = 0;
};

}  // namespace submix::io
