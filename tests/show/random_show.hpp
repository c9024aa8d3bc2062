// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <random>

namespace submix::show {

/// A valid show with a little of everything. The same seed gives the same show.
[[nodiscard]] Show random_show(std::mt19937& random);

/// Makes one random edit; the show stays valid.
void edit_randomly(Show& show, std::mt19937& random);

}  // namespace submix::show
