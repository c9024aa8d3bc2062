// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/window/displays.hpp"
#include "node/io/window/output_control.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>

namespace submix::io {

/// The plugin `window`. A build without SUBMIX_WINDOW describes it, too, but cannot make it.
[[nodiscard]] plugin::Description window_description();
/// All windows follow `output`. `displays` receives the machine's displays after each change; null:
/// not needed.
void add_window_plugin(plugin::Catalog& catalog, std::shared_ptr<OutputControl> output,
                       std::shared_ptr<Displays> displays);

}  // namespace submix::io
