// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace submix {

/// A device of a computer whose live picture or sound a show can have, or that a show can write.
struct CaptureDevice {
  std::string device;  ///< as a show names it: "video0", "screen", "hw:1,0"
  std::string name;    ///< for people: "HD Pro Webcam C920"; empty: `device` says it

  friend bool operator==(const CaptureDevice&, const CaptureDevice&) = default;
};

inline constexpr std::size_t kCaptureDevicesMax = 32;

/// A person's commands on a PC without a loopback device, whose pictures other programs have as a
/// camera's.
inline constexpr std::string_view kInstallLoopback = "sudo apt install v4l2loopback-dkms";
inline constexpr std::string_view kLoadLoopback =
    "sudo modprobe v4l2loopback exclusive_caps=1 card_label=Submix";

}  // namespace submix
