// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>

namespace submix::io {

class WindowThread;

/// The plugin `window`: shows its input on a screen and passes it on.
///
/// Threads  Windows belong to the process's window thread. process() hands a frame over, and waits
///          only while the previous frame has not been taken: back-pressure, nothing is dropped.
/// Errors   Creation: no display; the message names the remedy. While running: see WindowMailbox.
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_window(
    const plugin::Setup& setup, std::shared_ptr<WindowThread> thread);

}  // namespace submix::io
