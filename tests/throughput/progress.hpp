// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace submix::throughput {

/// What a long run is doing, on stderr: one line that is rewritten, or, where no terminal shows it, a line
/// for each step. Compatible.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();  ///< leaves an empty line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin_step(const std::string& what);
  /// Lets a terminal see that time passes; call it now and then.
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
