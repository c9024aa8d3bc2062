// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::cli {

/// For `status --detail`: the holders of the seats of each slot's pool, compared with the pool's
/// own count. Empty where no submix is measured.
[[nodiscard]] std::string pools_text(const model::ClusterView& view);

}  // namespace submix::cli
