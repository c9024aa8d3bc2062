// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace submix::session {

/// Checks the values of knobs, cues and presets of an opened show, because values that no plugin
/// accepts are left out later. Values of a plugin are checked once a node has described the plugin.
///
/// Threads  Compatible.
class OpenedValues {
 public:
  void begin(std::shared_ptr<const show::Show> show);
  /// The faults that have not been returned yet, for people. Null `known`: no plugin is described.
  [[nodiscard]] std::vector<std::string> new_faults(const model::PluginMap* known);

 private:
  std::shared_ptr<const show::Show> show_;  // null: all values are checked
  std::set<std::string> faults_;            // already returned
};

}  // namespace submix::session
