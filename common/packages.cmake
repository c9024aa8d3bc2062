# SPDX-License-Identifier: GPL-3.0-or-later
# Every library comes from the distribution; setup.sh installs the packages.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED CONFIG)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tl-expected REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PNG REQUIRED)
find_package(AbletonLink REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)

pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(BOTAN REQUIRED IMPORTED_TARGET botan-2)
pkg_check_modules(AVAHI REQUIRED IMPORTED_TARGET avahi-client)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(TURBOJPEG REQUIRED IMPORTED_TARGET libturbojpeg)
pkg_check_modules(SWSCALE REQUIRED IMPORTED_TARGET libswscale libavutil)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil)
pkg_check_modules(AVDEVICE REQUIRED IMPORTED_TARGET libavdevice)
pkg_check_modules(PANGO REQUIRED IMPORTED_TARGET pangocairo)
pkg_check_modules(AUBIO REQUIRED IMPORTED_TARGET aubio)
pkg_check_modules(SWRESAMPLE REQUIRED IMPORTED_TARGET libswresample libavutil)
pkg_check_modules(PULSE REQUIRED IMPORTED_TARGET libpulse)
pkg_check_modules(FREI0R REQUIRED IMPORTED_TARGET frei0r)
pkg_check_modules(DBUS REQUIRED IMPORTED_TARGET dbus-1)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(LIBLO REQUIRED IMPORTED_TARGET liblo)
pkg_check_modules(RTMIDI REQUIRED IMPORTED_TARGET rtmidi)
pkg_check_modules(JACK REQUIRED IMPORTED_TARGET jack) # sound; for RtMidi: whether a server runs, and which ports come
pkg_check_modules(ALSA REQUIRED IMPORTED_TARGET alsa) # which ports come; sound
pkg_check_modules(NATS REQUIRED IMPORTED_TARGET libnats) # its CMake package is broken in Debian 12

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64") # the package exists for these only
  find_library(IPSEC_MB_LIBRARY IPSec_MB REQUIRED)
  add_library(ipsec_mb INTERFACE IMPORTED)
  target_link_libraries(ipsec_mb INTERFACE ${IPSEC_MB_LIBRARY})
endif()

find_library(YUV_LIBRARY yuv REQUIRED) # libyuv has neither a CMake package nor a .pc file
add_library(yuv INTERFACE IMPORTED)
target_link_libraries(yuv INTERFACE ${YUV_LIBRARY})

if(SUBMIX_WINDOW OR SUBMIX_CONTROLLER)
  pkg_check_modules(SDL2 REQUIRED IMPORTED_TARGET sdl2)
  pkg_check_modules(X11 REQUIRED IMPORTED_TARGET x11)
  pkg_check_modules(XRANDR REQUIRED IMPORTED_TARGET xrandr)
endif()
if(SUBMIX_CONTROLLER)
  pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
  pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
endif()
if(SUBMIX_TESTS)
  find_package(GTest REQUIRED)
endif()
