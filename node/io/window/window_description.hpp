// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/window/displays.hpp"
#include "node/io/window/output_control.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>

namespace submix::io {

/// The plugin `window`, as every build knows it. A build without SUBMIX_WINDOW refuses to make it.
[[nodiscard]] plugin::Description window_description();
/// All windows follow `output`. `displays` gets the machine's displays, and their changes; null:
/// only windows look at displays.
void add_window_plugin(plugin::Catalog& catalog, std::shared_ptr<OutputControl> output,
                       std::shared_ptr<Displays> displays);

}  // namespace submix::io
