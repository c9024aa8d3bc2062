// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "node/agent/submixes.hpp"
#include "node/agent/trace_shelf.hpp"
#include "node/plugin/catalog.hpp"

#include <string>

namespace submix::agent {

/// What commands ask about; outlives their answers.
struct NodeParts {
  const std::string& name;
  const Submixes& submixes;
  const plugin::Catalog& catalog;
};

/// What a node says to a command. Threads: one for each kind of command. Errors go to the asker.
[[nodiscard]] Result<cluster::Reply> answer(const cluster::Command& command, const NodeParts& node,
                                            TraceShelf& traces);

}  // namespace submix::agent
