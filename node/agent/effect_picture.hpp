// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/media/image.hpp"
#include "node/host/host_keeper.hpp"
#include "node/plugin/catalog.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace submix::agent {

/// A picture as the filter `plugin` makes it with its initial parameters: people choose an effect
/// by eye. The filter runs beside the show (host::try_effect()); a built-in one runs here.
///
/// Shape    As large as the picture. A checkerboard shows where the filter made it transparent.
/// Threads  Synchronized. Waits, hardly longer than the `patience`.
/// Errors   The plugin is no filter or not on this node, there are no hosts, or as try_effect().
[[nodiscard]] Result<media::Rgb24Image> picture_with_effect(
    const media::Rgb24Image& picture, const std::string& plugin, const plugin::Catalog& catalog,
    const Result<std::unique_ptr<host::HostKeeper>>& hosts, std::chrono::milliseconds patience);

}  // namespace submix::agent
