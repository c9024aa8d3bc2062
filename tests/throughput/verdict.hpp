// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace submix::throughput {

/// What fits on links that carry so many bytes of pixels a second: the greatest of the usual formats, with
/// what is to spare, and the next one that does not fit. "1080p60 fits on these three links with 12 % to
/// spare; …"
[[nodiscard]] std::string verdict(double bytes_per_second, std::size_t links);

}  // namespace submix::throughput
