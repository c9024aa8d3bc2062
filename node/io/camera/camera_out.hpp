// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `camera-out`: OBS, browsers and video conferences have its frames as a camera, by a
/// loopback device (v4l2loopback). Passes its frames on.
///
/// Shape    Live: a program that reads late or not at all costs nothing. The device is opened with
///          the first frame, when the slot before an edit has closed it.
/// Cost     A conversion of each frame, on a thread of its own.
/// Errors   Creation fails if the name cannot be one of a device. While no device can be written,
///          trouble() says why and what to do.
[[nodiscard]] plugin::Description camera_out_description();
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_camera_out(const plugin::Setup& setup);
/// Tells whether make_camera_out() would succeed. Opens no device.
[[nodiscard]] Result<void> check_camera_out(const plugin::Setup& setup);

}  // namespace submix::io
