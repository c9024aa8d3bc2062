// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>
#include <vector>

namespace submix::model {

template <typename Name>
struct Renamed {
  Name from;
  Name to;

  friend bool operator==(const Renamed&, const Renamed&) = default;
};

/// What a person has renamed. The values of knobs and slots may have changed meanwhile.
struct Renames {
  std::vector<Renamed<std::string>> cues, knobs, presets, submixes;
  std::vector<Renamed<show::Port>> slots;  ///< also all slots of a renamed submix
};

/// Pure. Empty for a show of another name. Where several submixes, or several slots of one, have new
/// names, they count as others.
[[nodiscard]] Renames renames_between(const show::Show& before, const show::Show& after);

}  // namespace submix::model
