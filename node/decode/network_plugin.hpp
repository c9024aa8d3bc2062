// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/host/host_keeper.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>

namespace submix::decode {

/// Adds the plugin `network`. Each slot has a confined process that `keeper` starts, which alone
/// touches the network. `keeper` outlives the catalog; without it a slot cannot be made.
void add_network(plugin::Catalog& catalog, const Result<std::unique_ptr<host::HostKeeper>>& keeper);

}  // namespace submix::decode
