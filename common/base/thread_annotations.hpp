// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Clang's thread-safety attributes. clang-tidy checks them; for GCC they are empty.
#if defined(__clang__)
#define SUBMIX_ATTRIBUTE(x) __attribute__((x))
#else
#define SUBMIX_ATTRIBUTE(x)
#endif

#define SUBMIX_CAPABILITY(name) SUBMIX_ATTRIBUTE(capability(name))
#define SUBMIX_SCOPED_CAPABILITY SUBMIX_ATTRIBUTE(scoped_lockable)
#define SUBMIX_GUARDED_BY(x) SUBMIX_ATTRIBUTE(guarded_by(x))
#define SUBMIX_REQUIRES(...) SUBMIX_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define SUBMIX_EXCLUDES(...) SUBMIX_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define SUBMIX_ACQUIRE(...) SUBMIX_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define SUBMIX_RELEASE(...) SUBMIX_ATTRIBUTE(release_capability(__VA_ARGS__))
#define SUBMIX_NO_THREAD_SAFETY_ANALYSIS SUBMIX_ATTRIBUTE(no_thread_safety_analysis)
