// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The parts of a show that `submix pipe` adds and removes: a node of its own, the submix that it
/// runs, and a stream between that submix and the show. Each change is one edit.
///
/// Errors   Why the change is impossible, with the remedy. validate() checks the whole show.
namespace submix::model {

/// Whether a submix is the part of a pipe that runs on the pipe's node.
[[nodiscard]] bool is_pipe(const show::Submix& submix);

/// Pictures of the show for a pipe.
struct NewPipeOut {
  std::string name;  ///< of node, submix, stream, and of a stream-out if one is added
  std::string description;
  show::Port from;           ///< an empty slot: the submix's stream-out, else what it shows
  bool is_lossless = false;  ///< the show waits for the reader; otherwise the newest picture counts
};
/// `plugins`: those of the node of the submix.
[[nodiscard]] Result<Edit> add_pipe_out(const show::Show& show, const PluginMap& plugins,
                                        const NewPipeOut& pipe);

/// Pictures of a pipe as a layer of the show.
struct NewPipeIn {
  NewLayer layer;  ///< its node is the pipe's; its plugin is not used
  std::string description;
  bool is_lossless = false;  ///< the show waits for each picture; otherwise it holds the last one
};
/// `plugins`: those of the node of the mix.
[[nodiscard]] Result<Edit> add_pipe_in(const show::Show& show, const PluginMap& plugins,
                                       const NewPipeIn& pipe);

/// The nodes of the show that run a pipe.
[[nodiscard]] std::vector<std::string> pipe_nodes(const show::Show& show);
[[nodiscard]] bool has_pipe_node(const show::Show& show, std::string_view node);
/// The submixes that send to these nodes, or receive from them.
[[nodiscard]] std::set<std::string, std::less<>> neighbors_of_pipe(const show::Show& show,
                                                                   const std::string& node);
/// Removes all that the pipe's node runs, its place in the mix, a stream-out that was added for it,
/// and the node. Other things of the show stay, also those added since. `plugins`: those of the
/// nodes of neighbors_of_pipe().
[[nodiscard]] Result<Edit> remove_pipe(const show::Show& show, const PluginMap& plugins,
                                       const std::string& node);

}  // namespace submix::model
