// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace submix::model {

/// A file in the media folder of a node.
struct NodeFile {
  std::string node;
  std::string file;
  std::uint64_t bytes = 0;  ///< 0: not known

  friend bool operator==(const NodeFile&, const NodeFile&) = default;
};

/// A clip or a still of a show whose node does not have it.
struct MissingFile {
  show::Port slot;
  NodeFile wanted;
  std::vector<NodeFile> found{};  ///< its namesakes
};

/// Whether a node has listed its files without this one. A node that has not listed all its files
/// misses none; nor is a file with an absolute name missed.
[[nodiscard]] bool is_missing(const NodeFile& wanted, const MediaLists& lists);
/// Files of the same name in other folders or on other nodes; those of the wanted file's node come
/// first.
[[nodiscard]] std::vector<NodeFile> namesakes_of(const NodeFile& wanted, const MediaLists& lists);
/// The missing files of a show, in its order.
[[nodiscard]] std::vector<MissingFile> find_missing_files(const show::Show& show,
                                                          const MediaLists& lists);

}  // namespace submix::model
