// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"
#include "controller/cli/context.hpp"
#include "controller/model/edit/relinking.hpp"

#include <vector>

namespace submix::cli {

/// The files that take the place of a show's missing files.
struct RelinkPlan {
  std::vector<model::Relink> links;
  bool is_complete = true;  ///< false: a file is nowhere, or a person has to choose
};

/// Looks for the missing files of a show by their names, says what it finds, and copies clear finds
/// of other nodes. `is_dry`: it only says so.
///
/// Errors   A copy has failed.
[[nodiscard]] Result<RelinkPlan> relink(Context& context, cluster::Cluster& cluster,
                                        const show::Show& show, bool is_dry);

/// Whether a node cannot play a file of the show.
[[nodiscard]] bool has_missing_files(cluster::Cluster& cluster, const show::Show& show);

}  // namespace submix::cli
