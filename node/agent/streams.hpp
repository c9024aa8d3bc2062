// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/network.hpp"
#include "common/link/data_plane.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "node/engine/transport.hpp"
#include "node/io/stream/stream_in.hpp"
#include "node/io/stream/stream_out.hpp"
#include "node/plugin/catalog.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace submix::agent {

/// This node's ends of the show's streams. They outlive a rebuilt patch: the new patch's stream-in and
/// stream-out go on where the old one's stopped.
///
/// Threads  Synchronized.
class Streams {
 public:
  /// All but `node` outlive it.
  Streams(std::string node, link::DataPlane& data_plane, const engine::Transport& transport,
          EventSink& events);

  /// Adds the plugins stream-in and stream-out, which find their stream by submix and slot.
  void add_plugins(plugin::Catalog& catalog);

  /// Closes the ends that the show no longer has on this node; new ones open when a patch asks for them.
  /// Links, policies and pause budgets change while frames flow.
  void follow(const show::Show& show) SUBMIX_EXCLUDES(mutex_);
  /// Where `node` takes data now.
  void set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints, const LocalDoor& door)
      SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] std::vector<telemetry::StreamReading> readings() const SUBMIX_EXCLUDES(mutex_);

 private:
  /// Where a node takes data.
  struct Reach {
    std::vector<DataEndpoint> endpoints;
    LocalDoor door;

    friend bool operator==(const Reach&, const Reach&) = default;
  };
  struct Sender {
    show::Stream stream;
    std::shared_ptr<io::StreamEdge> edge;
  };
  struct Receiver {
    std::shared_ptr<link::StreamReceiver> end;
    std::shared_ptr<io::StreamPolicy> policy;
  };

  Result<io::StreamInput> open_input(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<io::StreamOutput> open_output(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<std::shared_ptr<io::StreamEdge>> open_edge(const show::Stream& stream, const plugin::Setup& setup)
      SUBMIX_REQUIRES(mutex_);
  /// Whether its receiver is on this machine, or nobody knows yet.
  [[nodiscard]] bool is_receiver_near(const show::Stream& stream) const SUBMIX_REQUIRES(mutex_);
  void point_to_receiver(const Sender& sender) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::string node_of(const show::Port& port) const SUBMIX_REQUIRES(mutex_);

  const std::string node_;
  link::DataPlane& data_plane_;
  const engine::Transport& transport_;
  EventSink& events_;
  mutable Mutex mutex_;
  show::Show show_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, Reach> reach_ SUBMIX_GUARDED_BY(mutex_);     // by node
  std::map<std::string, Sender> senders_ SUBMIX_GUARDED_BY(mutex_);  // by stream
  std::map<std::string, Receiver> receivers_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
