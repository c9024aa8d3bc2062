// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace submix {

/// A device of a computer whose live picture or sound a show can have.
struct CaptureDevice {
  std::string device;  ///< as a show names it: "video0", "screen", "hw:1,0"
  std::string name;    ///< for people: "HD Pro Webcam C920"; empty: `device` says it

  friend bool operator==(const CaptureDevice&, const CaptureDevice&) = default;
};

inline constexpr std::size_t kCaptureDevicesMax = 32;

}  // namespace submix
