// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

namespace submix::model {

/// Marks what reaches an output of the show: its submixes, their outputs, and its streams. All else is idle:
/// it changes no verdict, no rate and no alert.
///
/// Shape    Outputs are windows, and recordings that are not switched off. Where no node runs any, null and
///          checker slots that no slot reads stand for them. From each output the way goes back through slots
///          and streams. Outputs of submixes without a node count only where there are no others. A show
///          without outputs is shown as a whole: its final submixes are those that no stream leaves, by the
///          same rule.
/// Input    `expanded` is what nodes run (show::expand()). Wiring that runs goes before wiring that is
/// written. Cost     A look at every slot on the way, and at every slot a few times for outputs.
void mark_shown_parts(const show::Show& expanded, ClusterView& view);

}  // namespace submix::model
