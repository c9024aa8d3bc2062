// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"
#include "controller/cli/context.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <functional>
#include <string>

namespace submix::cli {

/// What differs between a pipe out and a pipe in.
struct Pipe {
  bool is_out = true;
  std::string node;
  std::string submix;  ///< of the pipe's node
  std::string stream;  ///< whose sender may leave frames out
  std::string format;
  std::function<std::string(const show::Show& show)> more_words;
  std::function<Result<model::Edit>(const show::Show& show, cluster::Cluster& cluster)> add;
};

/// Runs the pipe until its program, its stream, a person or a fault ends it, and takes it out of
/// the show again. Prints to standard error only. Returns the exit status.
///
/// Threads  As run_guarded().
int run_pipe(Context& context, const Pipe& pipe);

/// Takes the parts of the pipe whose node is `node` out of the show. The show may have been changed
/// by others meanwhile. Returns the exit status.
int remove_pipe_from_show(Context& context, cluster::Cluster& cluster, const std::string& node);

/// Forgets the node of a pipe unless it still runs.
void forget_pipe_node(cluster::Cluster& cluster, const std::string& node);

}  // namespace submix::cli
