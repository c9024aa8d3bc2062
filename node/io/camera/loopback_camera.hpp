// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/io/capture/capture_device.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace submix::io {

/// The loopback devices that `device` may mean: the one with this number or a part of this name;
/// all of them for an empty name.
///
/// Errors   No loopback device is here, or none of this name; any other camera is refused.
[[nodiscard]] Result<std::vector<Camera>> find_loopbacks(const std::string& device,
                                                         const std::vector<Camera>& cameras);

/// The loopback devices, as a person chooses among them: at most kCaptureDevicesMax.
[[nodiscard]] std::vector<CaptureDevice> loopback_devices(const std::vector<Camera>& cameras);

/// The picture that a show of `size` has as a camera: programs expect even numbers, so a last odd
/// column or row is left out.
[[nodiscard]] constexpr Size camera_size(Size size) {
  return {size.width / 2 * 2, size.height / 2 * 2};
}

/// A device of the driver v4l2loopback that this process writes: a camera for other programs.
///
/// Shape    Pictures of YUYV 4:2:2, BT.601, 16 to 235, as most USB cameras give them.
/// Owner    The device's only writer among all nodes of this computer, until it is destroyed.
/// Threads  Compatible.
class LoopbackCamera {
 public:
  /// Errors   `camera` is no loopback device: it is not written, and no ordinary file is opened. Or
  ///          another slot or program writes it, this user may not, or a program that reads it
  ///          keeps it at another size.
  [[nodiscard]] static Result<LoopbackCamera> open(const Camera& camera, Size size, FrameRate rate);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Waits for no reader; the driver drops what nobody reads.
  ///
  /// Errors   The device is gone. The object can only be destroyed then.
  [[nodiscard]] Result<void> write(std::span<const std::uint8_t> yuyv);

 private:
  LoopbackCamera(std::string name, Descriptor device)
      : name_(std::move(name)), device_(std::move(device)) {}

  [[nodiscard]] Result<void> check_driver() const;
  [[nodiscard]] Result<void> become_only_writer() const;
  [[nodiscard]] Result<void> set_format(Size size) const;
  void set_rate(FrameRate rate) const;
  void begin() const;

  std::string name_;  // "video10 (Submix)"
  Descriptor device_;
};

}  // namespace submix::io
