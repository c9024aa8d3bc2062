// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace submix::throughput {

/// Shows the progress of a long run on stderr: one rewritten line on a terminal, else a line for
/// each step. Compatible.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();  ///< leaves an empty line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin_step(const std::string& what);
  /// Updates the time on a terminal. To be called now and then.
  void tick();

 private:
  void draw();
  [[nodiscard]] std::string time_left() const;

  const std::size_t steps_;
  const bool is_terminal_;
  const std::chrono::steady_clock::time_point start_;
  std::size_t step_ = 0;
  std::string what_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace submix::throughput
