// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/catalog.hpp"

namespace submix::io {

/// The plugin `window`, as every build knows it. A build without SUBMIX_WINDOW refuses to make it.
[[nodiscard]] plugin::Description window_description();
void add_window_plugin(plugin::Catalog& catalog);

}  // namespace submix::io
