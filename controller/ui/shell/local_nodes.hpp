// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "controller/ui/panel.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace submix::ui {

/// Nodes on this machine, for somebody who wants to see it all at once: started by the window, gone with it.
/// Where there is no show they are given one.
///
/// Threads  Confined (ui), which is the main thread.
class LocalNodes {
 public:
  /// `nats` and `key` as the controller has them.
  LocalNodes(std::string nats_url, std::filesystem::path key_file)
      : nats_url_(std::move(nats_url)), key_file_(std::move(key_file)) {}

  /// Does what the page asked for, and what has become possible since. Cheap where nothing is to be done.
  void tend(const model::ClusterView& view, PanelState& state,
            std::vector<session::Action>& actions);

 private:
  [[nodiscard]] Result<void> start(const std::vector<std::string>& names);
  void end();

  const std::string nats_url_;
  const std::filesystem::path key_file_;
  std::vector<std::string> names_;
  std::vector<ChildProcess> processes_;
  bool needs_show_ = false;
  bool is_ending_ = false;  // by a person's wish
};

}  // namespace submix::ui
