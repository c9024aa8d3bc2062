// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "node/agent/media_copies.hpp"
#include "node/agent/submixes.hpp"
#include "node/agent/trace_shelf.hpp"
#include "node/host/host_keeper.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/media_folders.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>
#include <string>

namespace submix::agent {

/// The parts of a node that commands read. Outlives the answers.
struct CommandContext {
  const std::string& name;
  const Submixes& submixes;
  const plugin::Catalog& catalog;
  const io::MediaFolders& folders;
  const io::SourceOpener& opener;
  MediaCopies& copies;
  const Result<std::unique_ptr<host::HostKeeper>>& hosts;
};

/// Answers a command from the control plane. Errors go to the asker.
///
/// Threads  Synchronized: one thread for each kind of command.
[[nodiscard]] Result<cluster::Reply> answer(const cluster::Command& command,
                                            const CommandContext& node, TraceShelf& traces);

}  // namespace submix::agent
