// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "node/agent/submix_table.hpp"
#include "node/engine/patch.hpp"

#include <vector>

namespace submix::agent {

/// Finds the parts of a share, not followed yet, that could not run here. Faults of the share that
/// `submixes` follow are left out.
///
/// Threads  Any. Opens files, for two seconds; submixes after that are not tried, and an event says
///          so. Thus a show of many clips opens, and a wrong file among the first is refused.
[[nodiscard]] std::vector<cluster::SubmixFault> find_new_faults(
    const show::Show& share, const SubmixTable& submixes,
    const engine::PatchEnvironment& environment);

/// As find_new_faults(), but finds all faults of the share, also in what runs already.
[[nodiscard]] std::vector<cluster::SubmixFault> find_all_faults(
    const show::Show& share, const SubmixTable& submixes,
    const engine::PatchEnvironment& environment);

}  // namespace submix::agent
