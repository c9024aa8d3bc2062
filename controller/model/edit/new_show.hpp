// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/document.hpp"

#include <string>
#include <vector>

namespace submix::model {

/// A person's choices for a new show.
struct NewShow {
  std::string name = "new show";
  Size size{1280, 720};
  FrameRate rate{30, 1};
  /// Every node but the last performs. The last node mixes; a single node does both.
  std::vector<std::string> nodes;
  bool has_window = true;  ///< on the last node; else only previews show the picture
};

/// A show that runs at once on these nodes: moving pictures, mixed. A failed performer's
/// picture is held and stops nobody. Without nodes the show has no submix. The result is valid for
/// all names.
[[nodiscard]] show::Show make_show(const NewShow& wanted);

}  // namespace submix::model
