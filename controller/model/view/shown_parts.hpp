// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

namespace submix::model {

/// Marks the parts that reach an output of the show: submixes, their outputs, and streams. All
/// other parts are idle: they change no verdict, no rate and no alert.
///
/// Outputs are windows, and recordings that are switched on. If no node runs any, null and checker
/// slots without a reader take their place. The search goes back from each output through slots and
/// streams. Outputs of submixes without a node count only where no others exist. A show without
/// outputs is shown as a whole: its final submixes are those without an outgoing stream, by the
/// same rule. `expanded` is the show as nodes run it (show::expand()). Running wiring takes
/// precedence over the show's wiring.
///
/// Cost     Visits every slot on the way, and every slot a few times for outputs.
void mark_shown_parts(const show::Show& expanded, ClusterView& view);

}  // namespace submix::model
