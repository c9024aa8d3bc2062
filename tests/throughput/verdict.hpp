// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace submix::throughput {

/// The formats that fit on links with this capacity in bytes of pixels a second: the greatest usual
/// format with its reserve, and the next one that does not fit. "1080p60 fits on these three links
/// with 12 % to spare; …"
[[nodiscard]] std::string verdict(double bytes_per_second, std::size_t links);

}  // namespace submix::throughput
