// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/host/host_keeper.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/plugin.hpp"

#include <filesystem>
#include <memory>

namespace submix::host {

/// Makes a third-party plugin in a process of its own. Its slot sees an ordinary plugin. When the
/// host crashes, hangs or ends, the slot repeats the last good frame while another host starts with
/// the same parameters. After three failures in ten seconds the slot passes its input on until
/// try_again().
///
/// Owner    `keeper`, `setup.events` and `setup.clock` outlive the plugin.
/// Cost     process(): no allocation, and no page fault in the node once every picture was seen.
/// Errors   The host starts in the background; a failed start is reported as an event.
[[nodiscard]] Result<std::unique_ptr<plugin::Plugin>> make_hosted_plugin(
    HostKeeper& keeper, const plugin::Description& description, const std::filesystem::path& file,
    const plugin::Setup& setup);

/// Makes `catalog` use hosts of `keeper` for plugins that run out of process. `keeper` outlives
/// `catalog`.
void host_plugins_of(plugin::Catalog& catalog, HostKeeper& keeper);

}  // namespace submix::host
