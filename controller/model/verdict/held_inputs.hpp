// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// An input that waits no more for its performer: something stands in where no frame is there in time.
struct HeldInput {
  std::string stream;
  std::string node;      ///< that is to send it; empty: none
  double fps = 0;        ///< that still come
  bool is_away = false;  ///< that node is not there
  std::string stand_in;  ///< what its input does: "is held", "is black"
  std::string sentence;  ///< "left is held: node "left" sends 12.5 of 60 fps: slot …", for people
};

/// In the show's order. Each with what limits its performer, where that is known.
///
/// Cost     A look at every stream; for each that is held a few comparisons for each slot on its way.
[[nodiscard]] std::vector<HeldInput> find_held_inputs(const ClusterView& view);

/// A line for each, but only one for all that a node that is not there was to send.
[[nodiscard]] std::vector<std::string> lines_of(const ClusterView& view,
                                                const std::vector<HeldInput>& held);

}  // namespace submix::model
