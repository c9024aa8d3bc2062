// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

/// The plugin `capture`: a camera, an HDMI grabber, or the screen of the node's computer.
///
/// Each frame shows the device's latest picture, so the device's rate does not affect the show's.
/// After a device is unplugged, its last picture is shown for two seconds, then none, with an
/// alert; the device comes back by itself. The device is opened at the first frame, after the slot
/// before an edit has closed it.
[[nodiscard]] plugin::Description capture_description();

/// Errors   The name cannot be a device's. A missing device is no error: it may come later.
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_capture(const plugin::Setup& setup);

/// Fails as make_capture() would, without opening a device.
[[nodiscard]] Result<void> check_capture(const plugin::Setup& setup);

}  // namespace submix::io
