// SPDX-License-Identifier: GPL-3.0-or-later
// Reports to suppress: the distribution's libraries are built without sanitizers.

/// FFmpeg's threads, Fontconfig and libsrt synchronize by atomics that the thread sanitizer does
/// not see. libsrt takes its own locks in more than one order.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libavcodec.so\nrace:libfontconfig.so\nrace:libsrt\ndeadlock:libsrt\n";
}

/// Some frei0r plugins leak: colortap, hqdn3d, keyspillm0pup, rgbparade. Fontconfig keeps patterns
/// by offsets, not pointers. librsvg keeps the entities of a drawing that it refuses.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:frei0r-1/\nleak:libfontconfig.so\nleak:libxml2.so\n";
}
