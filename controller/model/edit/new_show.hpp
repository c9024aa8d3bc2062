// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/document.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// What a person states of a show that is to be made.
struct NewShow {
  std::string name = "new show";
  Size size{1280, 720};
  FrameRate rate{30, 1};
  std::vector<std::string>
      nodes;  ///< each but the last performs; the last mixes, or does all where it is the only one
  bool has_window = true;  ///< on the last one; else its picture is seen in previews only
};

/// A show that runs at once on these nodes: test pictures with their frames' numbers, mixed one over the
/// other, where a performer that fails is held and stops nobody. Without nodes it has no submix. Valid,
/// whatever the names.
[[nodiscard]] show::Show make_show(const NewShow& wanted);

}  // namespace submix::model
