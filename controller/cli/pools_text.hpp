// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::cli {

/// Who has the seats of each slot's pool, and whether that is what the pool says: a table for a terminal, for
/// `status --detail`. Empty where no submix is measured.
[[nodiscard]] std::string pools_text(const model::ClusterView& view);

}  // namespace submix::cli
