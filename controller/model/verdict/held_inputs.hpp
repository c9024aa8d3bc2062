// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// An input that does not wait for its performer: a stand-in picture replaces late frames.
struct HeldInput {
  std::string stream;
  std::string node;      ///< the assigned sender; empty: none
  double fps = 0;        ///< that still arrive
  bool is_away = false;  ///< the node is not there
  std::string stand_in;  ///< what the input does: "is held", "is black"
  std::string sentence;  ///< "left is held: node "left" sends 12.5 of 60 fps: slot …", for people
};

/// The held inputs in the show's order, each with the limit of its performer, where known.
///
/// Cost     Visits every stream. A held stream costs a few comparisons for each slot on its way.
[[nodiscard]] std::vector<HeldInput> find_held_inputs(const ClusterView& view);

/// A line for each input, but one line for all inputs of a missing node.
[[nodiscard]] std::vector<std::string> lines_of(const ClusterView& view,
                                                const std::vector<HeldInput>& held);

}  // namespace submix::model
