// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `capture`: a camera, an HDMI grabber, or the screen of the node's computer.
///
/// Each frame shows the device's latest picture, so a slow or fast device changes nothing in the
/// show's rate. A device that is unplugged leaves its last picture for two seconds, then none,
/// with an alert; it comes back by itself. The device is opened with the first frame, when the slot
/// before an edit has closed it.
[[nodiscard]] plugin::Description capture_description();

/// Errors   The name cannot be one of a device. A device that is missing is no error: it may come.
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_capture(const plugin::Setup& setup);

/// The errors of make_capture(), without a device being opened.
[[nodiscard]] Result<void> check_capture(const plugin::Setup& setup);

}  // namespace submix::io
