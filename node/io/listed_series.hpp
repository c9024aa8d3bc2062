// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/media_folders.hpp"

#include <vector>

namespace submix::io {

/// The files of one folder, with one entry in place of the pictures of each series. The names have
/// no folder. A few numbered pictures stay separate files: they may be stills.
[[nodiscard]] std::vector<FoundMedia> with_series(std::vector<FoundMedia> files);

}  // namespace submix::io
