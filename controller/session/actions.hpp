// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/show_edit.hpp"
#include "controller/session/cluster_access.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace submix::session {

/// Which picture: a slot's newest frame; an empty slot is the submix's last.
struct PictureKey {
  std::string submix;
  std::string slot;

  friend auto operator<=>(const PictureKey&, const PictureKey&) = default;
};

// ---- what people want ----------------------------------------------------------------------------------

struct EditShow {
  model::Edit edit;
  std::uint64_t gesture = 0;  ///< the same for all edits of one drag
};
struct Undo {};
struct Redo {};
struct SetPaused {
  bool is_paused = false;
};
struct Step {};
/// The pictures to keep fresh from now on; those left out are no longer asked for.
struct WatchPictures {
  std::vector<PictureKey> keys;
};
using Action = std::variant<EditShow, Undo, Redo, SetPaused, Step, WatchPictures>;

// ---- what is asked of the cluster, each answered by one reply --------------------------------------------

struct WriteShow {
  cluster::DesiredShow show;
  std::uint64_t expected_revision = 0;
};
struct WriteTransport {
  cluster::DesiredTransport transport;
};
struct TakePicture {
  PictureKey key;
  std::string node;
};
struct ListPlugins {
  std::string node;
};
using Request = std::variant<WriteShow, WriteTransport, TakePicture, ListPlugins>;

struct ShowWritten {
  WriteOutcome outcome;
};
struct TransportWritten {
  cluster::DesiredTransport transport;
  Result<void> result;
};
struct PictureTaken {
  PictureKey key;
  Result<cluster::Snapshot> result;
};
struct PluginsListed {
  std::string node;
  Result<std::vector<cluster::PluginSummary>> result;
};
using Reply = std::variant<ShowWritten, TransportWritten, PictureTaken, PluginsListed>;

}  // namespace submix::session
