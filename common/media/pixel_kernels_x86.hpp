// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/pixel_kernels.hpp"

#include <vector>

namespace submix::media {

/// Our own vector code, as far as this CPU runs it, from the narrowest to the widest: SSSE3, AVX2,
/// AVX-512 with VBMI. Empty on other machines.
[[nodiscard]] std::vector<PixelKernel> x86_pack_kernels();
[[nodiscard]] std::vector<PixelKernel> x86_unpack_kernels();

}  // namespace submix::media
