// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "controller/ui/panel.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace submix::ui {

/// Nodes on this machine, for people who want to try Submix on one computer. The window starts
/// them, and they end with it. Without a show they get a first show.
///
/// Threads  Confined (ui), which is the main thread.
class LocalNodes {
 public:
  /// `nats_url` and `key_file` as the controller uses them.
  LocalNodes(std::string nats_url, std::filesystem::path key_file)
      : nats_url_(std::move(nats_url)), key_file_(std::move(key_file)) {}

  /// Carries out what a page has asked for, and continues a start. Cheap if there is nothing to do.
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
  bool is_ending_ = false;  // a person asked for it
};

}  // namespace submix::ui
