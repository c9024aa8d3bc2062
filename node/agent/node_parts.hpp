// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/cluster_clock.hpp"
#include "common/link/data_plane.hpp"
#include "node/agent/ended_nodes.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/film_sound.hpp"
#include "node/agent/followed_sound.hpp"
#include "node/agent/loop_watch.hpp"
#include "node/agent/mailbox.hpp"
#include "node/agent/media_copies.hpp"
#include "node/agent/missing_files.hpp"
#include "node/agent/node_events.hpp"
#include "node/agent/node_options.hpp"
#include "node/agent/node_trace.hpp"
#include "node/agent/show_sound.hpp"
#include "node/agent/slow_work.hpp"
#include "node/agent/streams.hpp"
#include "node/agent/submixes.hpp"
#include "node/agent/trace_shelf.hpp"
#include "node/engine/transport.hpp"
#include "node/host/host_keeper.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/clip/played_clips.hpp"
#include "node/io/media_folders.hpp"
#include "node/io/window/displays.hpp"
#include "node/io/window/output_control.hpp"
#include "node/plugin/catalog.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace submix::agent {

/// The parts of a node and their wiring: who owns what, in one place. The order of the members is
/// the order of their dependencies: the last made is the first to end.
///
/// Threads  Each part states its own. open(), end(): Confined (main).
struct NodeParts {
  NodeParts(const NodeOptions& options, std::unique_ptr<cluster::Bus> bus,
            std::shared_ptr<Mailbox> mailbox);
  NodeParts(const NodeParts&) = delete;
  NodeParts& operator=(const NodeParts&) = delete;

  /// Opens the data plane, and makes streams and submixes. Fails without a usable address or port.
  [[nodiscard]] Result<void> open();
  /// Ends the chores and the probes of plugins. No thread may post chores any more.
  void end();

  const NodeOptions options;
  const io::MediaFolders folders;
  const std::string instance;                 ///< names this life of the node
  std::optional<cluster::Identity> identity;  ///< of this PC; empty: it has not joined by code
  const SteadyClock clock;
  const LocalTime started;

  /// Shared with callbacks that may outlive the node's start.
  const std::shared_ptr<Mailbox> mailbox;
  const std::unique_ptr<cluster::Bus> bus;
  cluster::Cluster cluster;
  cluster::ClusterClock cluster_clock;
  NodeEvents events;
  NodeTrace trace;
  engine::Transport transport;
  LoopWatch loops;
  const std::shared_ptr<io::OutputControl> output = std::make_shared<io::OutputControl>();
  const std::shared_ptr<io::Displays> displays;  ///< a change of them is reported at once
  EpochClock epochs;
  std::unique_ptr<link::DataPlane> data_plane;  ///< null before open()
  std::unique_ptr<Streams> streams;             ///< null before open()
  Result<std::unique_ptr<host::HostKeeper>> hosts;
  const io::SourceOpener opener;  ///< reads clips and stills
  const std::shared_ptr<io::PlayedClips> clips = std::make_shared<io::PlayedClips>();
  ShowSound sound;
  const std::unique_ptr<FilmSound> film_sound;  ///< null: this node makes no film
  FollowedSound& followed_sound;                ///< the film's if it makes one
  std::stop_source probing;  ///< stops the probes of plugin libraries, which may hang
  plugin::Catalog catalog;
  std::unique_ptr<Submixes> submixes;  ///< null before open()
  TraceShelf trace_shelf;
  MissingFiles missing_files;
  MediaCopies copies;
  EndedNodes ended_nodes;
  /// Declared last: its chores use all other parts. Empty after end().
  std::optional<SlowWork> slow_work;

 private:
  [[nodiscard]] Result<void> open_data_plane();
  void make_streams();
  void make_submixes();
  [[nodiscard]] bool is_there(const std::string& node);
};

}  // namespace submix::agent
