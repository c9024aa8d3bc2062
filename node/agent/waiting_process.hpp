// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/clock.hpp"
#include "node/agent/node_options.hpp"

#include <filesystem>
#include <optional>

namespace submix::agent {

/// The program `submix-waiting`, which lets a desk invite this PC: it runs while the node has no
/// show.
///
/// Threads  Confined (main).
class WaitingProcess {
 public:
  /// `program`: submix-waiting.
  WaitingProcess(std::filesystem::path program, const NodeOptions& options);

  /// To be called once a second. `has_server`: the node has a control plane, so it may have a show.
  void tend(LocalTime now, bool has_server);

 private:
  [[nodiscard]] bool is_wanted(LocalTime now, bool has_server);
  void start(LocalTime now);

  const std::filesystem::path program_;
  const NodeOptions& options_;
  LocalTime free_since_ = LocalTime::max();
  LocalTime next_start_{};
  std::optional<ChildProcess> process_;
};

}  // namespace submix::agent
