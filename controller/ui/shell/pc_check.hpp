// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/finding.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/ui/shell/background.hpp"

#include <stop_token>

/// The window's answer to: is this PC ready for a show?
namespace submix::ui {

struct Panel;
struct PcCheckState;

/// Runs the checks that the panel asks for on a thread of its own.
///
/// Threads  Confined (ui). The destructor ends a check that is under way.
class PcChecker {
 public:
  ~PcChecker();
  /// Begins a wanted check, and stores the findings of an ended check. Cheap if there is nothing to
  /// do.
  void tend(const model::ClusterView& view, PcCheckState& state);

 private:
  std::stop_source stop_;
  Background<Findings> check_;
};

/// Opens the panel and asks for a check.
void check_this_pc(Panel& panel);

/// What this PC lacks, the worst first, with the remedies.
void draw_pc_check(Panel& panel);

}  // namespace submix::ui
