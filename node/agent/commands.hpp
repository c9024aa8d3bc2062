// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "node/agent/submixes.hpp"
#include "node/agent/trace_shelf.hpp"
#include "node/plugin/catalog.hpp"

namespace submix::agent {

/// What a node says to a command. Confined (the control plane's thread); errors go to who asked.
[[nodiscard]] Result<cluster::Reply> answer(const cluster::Command& command, const Submixes& submixes,
                                            const plugin::Catalog& catalog, TraceShelf& traces);

}  // namespace submix::agent
