// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/host/host_keeper.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/plugin.hpp"

#include <filesystem>
#include <memory>

namespace submix::host {

/// A third-party plugin in a process of its own. Its slot sees a plugin like any other: when the host
/// crashes, hangs or ends, the last good frame is given while another host starts with the same parameters;
/// three times in ten seconds, and the input is passed on until try_again().
///
/// Owner    `keeper`, `setup.events` and `setup.clock` outlive the plugin.
/// Cost     process(): no allocation, no page fault here once all pictures were seen.
/// Errors   The host starts in the background: what goes wrong there is an event.
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_hosted_plugin(
    HostKeeper& keeper, const plugin::Description& description, const std::filesystem::path& file,
    const plugin::Setup& setup);

/// From now on `catalog` makes in hosts of `keeper`, which outlives it, what wants a process of its own.
void host_plugins_of(plugin::Catalog& catalog, HostKeeper& keeper);

}  // namespace submix::host
