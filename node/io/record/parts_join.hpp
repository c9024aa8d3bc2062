// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/io/media_folders.hpp"

#include <string>
#include <vector>

namespace submix::io {

/// Copies the packets of `parts`, files of `folder` in this order, into a new Matroska file at
/// `place`. Starts with the first key picture at or after `from_seconds` of the parts' common time.
/// Parts that cannot be read are left out.
///
/// Cost     Reads and writes all bytes; decodes nothing.
/// Errors   No part can be read, or the file cannot be written; the file is then removed.
[[nodiscard]] Result<void> join_parts(const OpenFolder& folder,
                                      const std::vector<std::string>& parts, double from_seconds,
                                      const RecordingPlace& place);

}  // namespace submix::io
