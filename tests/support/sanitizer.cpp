// SPDX-License-Identifier: GPL-3.0-or-later
// What the sanitizers shall not report: the distribution's libraries are not built with them.

/// FFmpeg's own threads agree by atomics that the thread sanitizer does not see.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libavcodec.so\n";
}

/// What frei0r's plugins leak is theirs: found in colortap, hqdn3d, keyspillm0pup, rgbparade and others.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:frei0r-1/\n";
}
