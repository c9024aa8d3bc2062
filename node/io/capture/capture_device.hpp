// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::io {

/// A camera or an HDMI grabber of this computer.
struct Camera {
  std::filesystem::path file;  ///< "/dev/video0"
  std::string name;            ///< as the driver tells it: "HD Pro Webcam C920"
  bool is_loopback = false;    ///< its pictures come from a program, maybe this one

  friend bool operator==(const Camera&, const Camera&) = default;
};

/// The cameras, in the order of their numbers. A camera's further device files are left out.
/// `class_folder` is where the kernel lists them.
[[nodiscard]] std::vector<Camera> find_cameras(
    const std::filesystem::path& class_folder = "/sys/class/video4linux");

/// The camera with this number ("/dev/video2" or "video2"), or with this text in its name. Null:
/// none.
[[nodiscard]] const Camera* find_camera(std::string_view device,
                                        const std::vector<Camera>& cameras);

/// "video0 (HD Pro Webcam C920)"
[[nodiscard]] std::string shown_name(const Camera& camera);
/// "video0 (HD Pro Webcam C920), video4 (USB3 HDMI Grabber)"
[[nodiscard]] std::string shown_names(const std::vector<Camera>& cameras);

/// Whether `device` can name a camera, plugged in or not.
[[nodiscard]] Result<void> check_camera_name(std::string_view device);

/// The devices that a person can choose: the cameras, and the screen if this process has one.
[[nodiscard]] std::vector<CaptureDevice> capture_devices(const std::vector<Camera>& cameras);

/// An option of FFmpeg and its value.
using CaptureOption = std::pair<std::string, std::string>;

/// How FFmpeg opens a device.
struct CaptureInput {
  std::string format;  ///< FFmpeg's name of the kind of device: "v4l2"
  std::string name;    ///< of the device, in the form that this kind expects
  /// Sets of options to try in this order, until the device accepts one.
  std::vector<std::vector<CaptureOption>> attempts;
};

/// A request for a device.
struct CaptureWish {
  std::string device;  ///< as find_capture() takes it
  Size size;
  FrameRate rate;
};

/// Finds the device that a person named. An empty name means the first camera, and a loopback
/// device only if there is no other; any other name is as for find_camera(). "screen" is this
/// computer's screen, and "screen :1" is the screen of another X display.
///
/// Errors   The camera is missing; the message lists the present cameras. All other names are
///          refused, since a show comes from other people.
[[nodiscard]] Result<CaptureInput> find_capture(const CaptureWish& wish,
                                                const std::vector<Camera>& cameras);

/// Whether `device` can name a device, plugged in or not.
[[nodiscard]] Result<void> check_capture_name(std::string_view device);

}  // namespace submix::io
