// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// An input that waits no more for its performer: something stands in where no frame is there in time.
struct HeldInput {
  std::string stream;
  std::string node;      ///< that is to send it; empty: none
  double fps = 0;        ///< that still come
  std::string sentence;  ///< "left is held: node "left" sends 12.5 of 60 fps: slot …", for people
};

/// In the show's order. Each with what limits its performer, where that is known.
///
/// Cost     A look at every stream; for each that is held a few comparisons for each slot on its way.
[[nodiscard]] std::vector<HeldInput> find_held_inputs(const ClusterView& view);

}  // namespace submix::model
