// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Prints the broken condition with its place on stderr and aborts. Never returns.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace submix

/// A bug when false; checked in every build. Not for a peer's bytes or a user's input, and not per pixel.
#define SUBMIX_ASSERT(condition)          \
  (static_cast<bool>(condition) ? void(0) \
                                : ::submix::assertion_failed(#condition, __FILE__, __LINE__))
