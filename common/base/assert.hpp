// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// Prints the broken condition with its file and line on stderr, and aborts. Never returns.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace submix

/// A false condition is a bug. The check is in every build. Do not use it for a peer's bytes, for a
/// user's input or for each pixel.
#define SUBMIX_ASSERT(condition)          \
  (static_cast<bool>(condition) ? void(0) \
                                : ::submix::assertion_failed(#condition, __FILE__, __LINE__))
