// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/node_check.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace submix::session {

struct ConnectionUpdate {
  model::ConnectionState connection = model::ConnectionState::connecting;
  std::string text;              ///< the address, or why there is no connection
  bool is_store_silent = false;  ///< connected, but NATS's store does not answer
};

/// What this PC may do, at each new connection.
struct RightsUpdate {
  cluster::Rights rights = cluster::Rights::everything;
};

/// Why this program's version cannot work with the desk's. Empty: it can.
struct VersionUpdate {
  std::string gap;
};

struct ShowUpdate {
  cluster::DesiredShow show;
  std::uint64_t revision = 0;
};

/// The cluster's clock minus the local clock.
struct ClockUpdate {
  std::chrono::nanoseconds offset{0};
};

/// The last show to run on all its nodes without a fault.
struct GoodShowUpdate {
  cluster::DesiredShow show;
};

/// The alerts seen by people.
struct AlertsSeenUpdate {
  cluster::AlertsSeen seen;
};

struct TransportUpdate {
  cluster::DesiredTransport transport;
};

/// News from the cluster, in order of arrival.
using Update = std::variant<ConnectionUpdate, RightsUpdate, VersionUpdate, ShowUpdate,
                            GoodShowUpdate, AlertsSeenUpdate, TransportUpdate, ClockUpdate,
                            cluster::NodeReport, telemetry::NodeReading, cluster::Event>;

struct WriteOutcome {
  enum class Kind {
    accepted,
    refused,   ///< another writer was faster
    declined,  ///< a node cannot run the show
    failed,    ///< the result is unknown
  };
  Kind kind = Kind::failed;
  std::uint64_t revision = 0;              ///< when accepted
  std::string error;                       ///< when declined or failed, for people
  std::vector<std::string> warnings = {};  ///< when accepted: nodes not asked, with the reason
  /// When accepted: the show as written, if show::announce() has completed it; else null.
  std::shared_ptr<const show::Show> announced = nullptr;
};

/// A media file to be copied to a node.
struct MediaOrigin {
  std::string node;  ///< the node that has it; empty: this computer
  std::string file;  ///< as in cluster::MediaFile; of this computer: a path
};
/// Is told the progress of a copy about five times a second. If it returns false, the copy ends.
using CopyWatch = std::function<bool(const cluster::MediaCopy&)>;

/// The cluster as a session sees it. An interface, so that a session can be tested without a
/// cluster.
///
/// Threads  start() and stop(): one thread. All others: Synchronized, and block for at most a few
///          seconds unless they say otherwise.
class ClusterAccess {
 public:
  virtual ~ClusterAccess() = default;

  /// Until stop() returns, `deliver` is called on any thread with the present state and all later
  /// news. A missing connection is no failure: connecting is tried for ever.
  virtual void start(std::function<void(Update)> deliver) = 0;
  virtual void stop() = 0;

  /// Asks the nodes concerned by the change what they cannot run.
  [[nodiscard]] virtual NodeCheck ask_nodes(const show::Show* before, const show::Show& after) = 0;
  /// The show's time now, since 1970.
  [[nodiscard]] virtual Result<std::chrono::nanoseconds> show_time() = 0;
  [[nodiscard]] virtual WriteOutcome write_show(const cluster::DesiredShow& show,
                                                std::uint64_t expected_revision) = 0;
  [[nodiscard]] virtual Result<void> write_transport(
      const cluster::DesiredTransport& transport) = 0;
  [[nodiscard]] virtual Result<cluster::Snapshot> take_snapshot(
      const std::string& node, const cluster::Command& command) = 0;
  [[nodiscard]] virtual Result<std::vector<cluster::PluginSummary>> list_plugins(
      const std::string& node) = 0;
  [[nodiscard]] virtual Result<cluster::MediaList> list_media(const std::string& node) = 0;
  /// `at`: a part of the file's length, 0 to 1.
  [[nodiscard]] virtual Result<cluster::MediaPicture> take_media_picture(const std::string& node,
                                                                         const std::string& file,
                                                                         double at) = 0;
  /// A JPEG. See Cluster::request_effect_picture().
  [[nodiscard]] virtual Result<cluster::Snapshot> take_effect_picture(
      const std::string& node, const show::Port& slot, const std::string& plugin) = 0;
  /// Waits for the copy's end, however long it takes: see session::copy_media().
  [[nodiscard]] virtual Result<void> copy_media(const MediaOrigin& origin, const std::string& node,
                                                const std::string& name,
                                                const CopyWatch& go_on) = 0;
  /// See Cluster::change_alerts_seen().
  [[nodiscard]] virtual Result<void> change_alerts_seen(const std::vector<std::string>& seen,
                                                        const std::vector<std::string>& over) = 0;
  /// Fails if the node is in the show or runs.
  [[nodiscard]] virtual Result<void> forget_node(const std::string& node) = 0;
  /// The node's activity of the last seconds, as a Chrome trace.
  [[nodiscard]] virtual Result<std::string> take_trace(const std::string& node,
                                                       std::chrono::seconds look_back) = 0;
};

}  // namespace submix::session
