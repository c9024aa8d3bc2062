// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace submix::agent {

/// Whether a node's loops still go round: what a service manager's watchdog is told.
///
/// Threads  note(): any. have_all_gone_round(): one caller.
class LoopWatch {
 public:
  enum class Loop { agent, telemetry, net, count };

  /// `loop` has gone round once more.
  void note(Loop loop) { marks_[static_cast<std::size_t>(loop)].store(true); }

  /// Whether every loop has gone round since this function last returned true.
  [[nodiscard]] bool have_all_gone_round() {
    for (const auto& mark : marks_) {
      if (!mark.load()) return false;
    }
    for (auto& mark : marks_)
      mark.store(false);
    return true;
  }

 private:
  std::array<std::atomic<bool>, static_cast<std::size_t>(Loop::count)> marks_{};
};

}  // namespace submix::agent
