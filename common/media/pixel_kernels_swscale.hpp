// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace submix::media {

/// libswscale's conversion without scaling, as a kernel: RGBA to RGB24, and back.
///
/// Threads  Synchronized: each thread has its own context.
/// Cost     A thread's first call allocates its context; later calls allocate nothing.
void pack_swscale(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels);
void unpack_swscale(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels);

}  // namespace submix::media
