// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/context.hpp"
#include "controller/cli/step_log.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

/// The cluster's show, read and written by commands.
namespace submix::cli {

using SubmixNames = std::set<std::string, std::less<>>;

struct CurrentShow {
  show::Show show;
  std::uint64_t revision = 0;
};

/// How long a node may take to list its plugins.
inline constexpr std::chrono::seconds kPluginsPatience{3};

[[nodiscard]] Result<CurrentShow> read_show(cluster::Cluster& cluster);

/// The cluster's show with the connection that it came over.
struct OpenShow {
  ClusterConnection connection;
  CurrentShow current;

  [[nodiscard]] cluster::Cluster& cluster() { return connection.cluster(); }
};
[[nodiscard]] Result<OpenShow> open_show(const Context& context);

/// Makes the edit of the show that was just read.
using MakeEdit = std::function<Result<model::Edit>(const show::Show&)>;
/// Makes `edit`, whatever the show is.
[[nodiscard]] MakeEdit always(model::Edit edit);

/// A command's change of the show.
struct ShowChange {
  MakeEdit make;
  std::string_view command;  ///< the author of the write
  std::string submix = {};   ///< wait for its node, if the submix exists
  /// A cue or an undo: nothing is measured first, and the planner warns afterwards.
  bool is_at_once = false;
  /// "submix undo" can take it back; otherwise the change itself restores an earlier show
  bool is_step = true;
  std::string_view verb = {};  ///< before its title: "undo: "
  /// Further work, done as soon as the show is written.
  std::function<Result<void>()> then = {};
};

/// The step log of the context's cluster. Fails without a folder that only this user can write.
[[nodiscard]] Result<StepLog> step_log(const Context& context);
/// Logs a step for undo. Warns where the log cannot be written.
void remember(Context& context, const ShowStep& step);

/// The end of the error when ask_nodes() refuses.
inline constexpr std::string_view kNothingChanged =
    "nothing was changed; --force writes it all the same";

/// Asks the affected nodes whether they can run a change. Warns about absent nodes and, in a forced
/// context, about all objections. Null `before`: no readable show.
[[nodiscard]] Result<void> ask_nodes(Context& context, cluster::Cluster& cluster,
                                     const show::Show* before, const show::Show& after);

/// Reads, edits and writes the show, again if another writer came first. Prints the result, and
/// waits for the node of the change's submix.
///
/// Cost     A change that may need more of cards and computers is planned, as in the window. If
///          nodes are present, they are first measured for a second.
/// Errors   Refuses, with the reason, an edit that would make the show invalid, and a value that a
///          plugin does not take. Unless forced, a node or the planner may refuse, too. Nothing is
///          written then. The planner's warnings are printed.
int run_edit(Context& context, cluster::Cluster& cluster, const ShowChange& change);

/// run_edit() over a connection of its own.
int change_show(Context& context, const MakeEdit& make, std::string_view command,
                const std::string& submix = {});

/// The nodes that the show names or assigns.
[[nodiscard]] std::set<std::string> all_nodes_of(const show::Show& show);

/// The plugins of the nodes that run these submixes, by id, and submixes as plugins. For a submix
/// inside others: the plugins of all nodes of the show. Absent nodes are left out.
[[nodiscard]] model::PluginMap plugins_for(cluster::Cluster& cluster, const show::Show& show,
                                           const SubmixNames& submixes);
/// plugins_for(), for checks of values. A plugin unknown to these nodes is described by another
/// present node of the show.
[[nodiscard]] model::PluginMap descriptions_for(cluster::Cluster& cluster, const show::Show& show,
                                                const SubmixNames& submixes);

}  // namespace submix::cli
