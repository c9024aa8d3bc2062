// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/edit/relinking.hpp"

#include <functional>
#include <string>
#include <vector>

namespace submix::session {

/// Questions to nodes about their files. An interface, so that tests of the search need no nodes.
struct MediaQuestions {
  std::function<Result<cluster::MediaList>(const std::string& node)> list;
  /// Whether the node can play a file. Lists leave out links and unusual endings.
  std::function<bool(const model::NodeFile& file)> can_play;
};

struct MissingMedia {
  std::vector<model::MissingFile> files;
  std::vector<std::string> faults;  ///< nodes that have not answered, for people
};

/// Looks for a show's files on `nodes`. Asks the nodes that play files of the show. If a file is
/// missing there, asks the other nodes for files of the same name.
///
/// Threads  Any. Blocks for each question.
[[nodiscard]] MissingMedia find_missing_media(const MediaQuestions& questions,
                                              const show::Show& show,
                                              const std::vector<std::string>& nodes);

}  // namespace submix::session
