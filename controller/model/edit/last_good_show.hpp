// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

/// The way back to the last show that ran on all its nodes without a fault. Pure.
namespace submix::model {

/// Whether a last good show exists and differs from the present show.
[[nodiscard]] bool can_go_back(const ClusterView& view);
/// Whether a fault is present, so that people may want to go back at once.
[[nodiscard]] bool should_offer_way_back(const ClusterView& view);
/// The last good show in words: "show \"duo\"", or "show \"duo\", as it was before the last
/// changes".
[[nodiscard]] std::string good_show_text(const ClusterView& view);

}  // namespace submix::model
