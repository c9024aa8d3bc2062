// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix::testing {

/// Whether a sanitizer is in this program. It touches memory of its own, and finds the leaks of
/// plugins.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace submix::testing
