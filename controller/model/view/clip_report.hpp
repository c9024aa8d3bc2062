// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <cstddef>

namespace submix::model {

/// What the node of a clip last told of it. Moments and lengths are in seconds.
struct ClipReport {
  std::size_t playing = 1;  ///< the clip of the bank
  double position = 0;
  double end = 0;        ///< 0: not known
  bool is_well = false;  ///< its node plays it without trouble
};

/// A silent node has told nothing: the report is empty.
[[nodiscard]] ClipReport clip_report(const ClusterView& view, const show::Port& clip);

}  // namespace submix::model
