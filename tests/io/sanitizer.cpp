// SPDX-License-Identifier: GPL-3.0-or-later

/// FFmpeg's own threads agree by atomics that the thread sanitizer does not see, since the distribution's
/// libraries are not built with it.
extern "C" const char* __tsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier): its name
extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:libavcodec.so\n";
}
