// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/cluster.hpp"
#include "common/show/document.hpp"
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

[[nodiscard]] Result<CurrentShow> read_show(cluster::Cluster& cluster);

/// What to change about the show as it is at that moment.
using MakeEdit = std::function<Result<model::Edit>(const show::Show&)>;
/// The same one, whatever the show is.
[[nodiscard]] MakeEdit always(model::Edit edit);

/// What a command does to the show.
struct Change {
  MakeEdit make;
  std::string_view command;  ///< that signs it
  std::string submix = {};   ///< whose node is waited for, if there is one of that name
  bool is_at_once =
      false;  ///< a cue, undo: nothing is measured first, and the planner warns afterwards
  bool is_step = true;  ///< that "submix undo" takes back; others bring back what the show had
  std::string_view verb = {};  ///< in front of its title: "undo: "
  std::function<Result<void>()> then =
      {};  ///< what belongs to it, done as soon as the show is written
};

/// Of the cluster that the context names; fails where there is no folder that only this user writes.
[[nodiscard]] Result<StepLog> step_log(const Context& context);
/// So that it can be undone; says why where it cannot.
void remember(Context& context, const Step& step);

/// What a writer says behind the reasons of ask_nodes().
inline constexpr std::string_view kNothingChanged =
    "nothing was changed; --force writes it all the same";

/// Asks the nodes that a change concerns whether they can run it. Warns of those that are not here, and,
/// where the context is forced, of all that stands against it. A null `before`: there is no show that can be
/// read.
[[nodiscard]] Result<void> ask_nodes(Context& context, cluster::Cluster& cluster,
                                     const show::Show* before, const show::Show& after);

/// Reads, edits and writes the show, anew when somebody else wrote in between; says what was done, and waits
/// for the node of the change's submix.
///
/// Cost     A change that may ask more of cards and computers is planned, as the window does it: they are
///          measured for a second first where nodes are here.
/// Errors   An edit that would put the show out of order, that sets what a plugin does not take, or that a
/// node
///          or the planner refuses unless the context is forced, is refused with the reason; nothing is
///          written. What the planner warns of is told.
int run_edit(Context& context, cluster::Cluster& cluster, const Change& change);

/// The plugins of the nodes that run these submixes, by id, and submixes as plugins; of a submix that stands
/// in others, those of all nodes of the show. Nothing of nodes that are not here.
[[nodiscard]] model::PluginMap plugins_for(cluster::Cluster& cluster, const show::Show& show,
                                           const SubmixNames& submixes);
/// The same, to judge values by: a plugin that these nodes do not describe is described by any other node of
/// the show that is here.
[[nodiscard]] model::PluginMap descriptions_for(cluster::Cluster& cluster, const show::Show& show,
                                                const SubmixNames& submixes);

}  // namespace submix::cli
