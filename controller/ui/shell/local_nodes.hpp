// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/window.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix::ui {

/// This PC's host name as a name in shows.
[[nodiscard]] std::string usual_node_name();

/// Nodes on this machine, which the window starts and ends: either the nodes of a whole show on
/// this PC alone, with a first show if there is none, or one node, this PC's part in a show of
/// several PCs.
///
/// Threads  Confined (ui), which is the main thread.
class LocalNodes {
 public:
  /// `nats_url` and `key_file` as the controller uses them.
  LocalNodes(std::string nats_url, std::filesystem::path key_file)
      : nats_url_(std::move(nats_url)), key_file_(std::move(key_file)) {}

  /// Carries out what a page has asked for, and continues a start. Cheap if there is nothing to do.
  /// The output of a first show goes beside `window`.
  void tend(const model::ClusterView& view, const Window& window, PanelState& state,
            std::vector<session::Action>& actions);

 private:
  struct Node {
    std::string name;
    ChildProcess process;
  };

  /// Starts those of `names` that do not run.
  [[nodiscard]] Result<void> start(const std::vector<std::string>& names,
                                   const model::ClusterView& view);
  [[nodiscard]] Result<ChildProcess> start_one(const std::string& name) const;
  /// Starts the nodes that pages have asked for.
  void start_wanted(const model::ClusterView& view, PanelState& state);
  /// Drops nodes that have ended. An end that nobody asked for becomes a notice.
  void drop_ended(const model::ClusterView& view, PanelState& state);
  void end();
  /// Starts or ends this PC's node in a show of several PCs.
  void tend_own(const model::ClusterView& view, LocalNodesState& page);

  const std::string nats_url_;
  const std::filesystem::path key_file_;
  std::vector<std::string> names_;
  std::vector<Node> running_;
  bool needs_show_ = false;
  bool is_ending_ = false;  // a person asked for it
  std::string own_name_;    // of `own_`, or of the node that ended or runs as a service
  std::optional<ChildProcess> own_;
};

}  // namespace submix::ui
