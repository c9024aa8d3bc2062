// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
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
  std::size_t clip = 1;           ///< number in the bank of the clip
};

/// Whether the file is absent from its node's complete list. False while the list is unknown or
/// incomplete, and for an absolute name.
[[nodiscard]] bool is_missing(const NodeFile& wanted, const MediaLists& lists);
/// The question to a person before a show with missing files is opened.
struct OpenQuestion {
  std::string path;  ///< of the show
  std::vector<MissingFile> missing;
  bool is_copying = false;  ///< the question is answered, and chosen files are being copied
  std::string error;        ///< why a copy has failed; empty: none has
};

/// What plays in a slot in the place of a missing file.
struct Relink {
  show::Port slot;
  /// As the slot's node names it. Empty: the clip is left out and keeps its file's name. Clip 1 is
  /// bypassed; of others of the bank, clip 1 plays instead.
  std::string file;
  std::size_t clip = 1;  ///< number in the bank
};

/// The nodes of the slots that play files.
[[nodiscard]] std::set<std::string> nodes_with_files(const show::Show& show);
/// Files of the same name in other folders or on other nodes. Those on the wanted file's node come
/// first.
[[nodiscard]] std::vector<NodeFile> namesakes_of(const NodeFile& wanted, const MediaLists& lists);
/// The file that can be taken without asking a person. Empty: none is found, or several that
/// differ. Files on the wanted file's node are preferred.
[[nodiscard]] std::optional<NodeFile> clear_choice(const MissingFile& missing);
/// `show` with other files in its slots, and in the presets and cues that set the same file there.
/// A name that no bank can hold leaves its clip out.
[[nodiscard]] show::Show relinked(show::Show show, const std::vector<Relink>& links);

/// The files of a show that are in no list, in its order. Lists leave out links, unusual endings
/// and absolute names: the node may have such a file all the same.
[[nodiscard]] std::vector<MissingFile> find_missing_files(const show::Show& show,
                                                          const MediaLists& lists);

}  // namespace submix::model
