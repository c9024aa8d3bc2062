// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

/// The way back to the last show that ran on all its nodes without a fault. Pure.
namespace submix::model {

/// Whether there is such a show, and the present one is another.
[[nodiscard]] bool can_go_back(const ClusterView& view);
/// Whether something is at fault meanwhile, so that people may want to go back at once.
[[nodiscard]] bool is_way_back_wanted(const ClusterView& view);
/// Which show it is, for people: "show \"duo\"", or "show \"duo\", as it was before the last changes".
[[nodiscard]] std::string good_show_words(const ClusterView& view);

}  // namespace submix::model
