// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/figures.hpp"
#include "controller/model/view/macro_plugins.hpp"
#include "controller/model/view/node_track.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace submix::model {

/// Turns the cluster's messages into ClusterViews.
///
/// Shape    At most kNodesMax nodes, kEventsMax events and two minutes of history. Memory is
///          bounded whatever nodes send.
/// Threads  Compatible. The class has no clock: callers pass the time.
/// Cost     view(): copies everything, about 100 us for ten nodes; meant for 10 to 30 calls a
///          second.
/// Errors   Nodes are not trusted. Late, repeated, backward or huge figures give rates of 0 or
///          large numbers, never undefined behaviour.
class ClusterModel {
 public:
  static constexpr std::size_t kNodesMax = 1024;
  static constexpr std::size_t kEventsMax = 400;
  static constexpr std::size_t kRecordedMax = 16;

  void set_connection(ConnectionState connection, std::string text, LocalTime now);
  /// While NATS's store does not answer, an unheard node is of unknown health.
  void set_store_silent(bool is_silent) { is_store_silent_ = is_silent; }
  void accept(cluster::NodeReport report, LocalTime now);
  /// `node`, which has reported before, gave a sign of life at `at`.
  void accept_sign_of_life(const std::string& node, LocalTime at);
  void accept(telemetry::NodeReading reading, LocalTime now);
  /// A repetition within kRepeatWindow only raises the event's count.
  void accept(cluster::Event event, LocalTime now);
  /// Null: no show is desired. `error` is set when the desired show cannot be read.
  void set_show(std::shared_ptr<const show::Show> show, std::uint64_t revision, std::string author,
                std::string error = {});
  void set_transport(cluster::DesiredTransport transport) { transport_ = std::move(transport); }
  /// The plugins of `node`. Usable plugins are merged with the lists of other nodes.
  void add_plugins(const std::string& node, std::vector<cluster::PluginSummary> plugins);
  /// Plugins by id, the show's submixes included.
  [[nodiscard]] std::shared_ptr<const PluginMap> plugins() const { return plugins_; }
  /// Removes a node that the cluster has forgotten. The node returns with its next report.
  void forget_node(const std::string& node) { nodes_.erase(node); }
  void set_messages_dropped(std::uint64_t count) { messages_dropped_ = count; }

  /// Samples the histories that are due. Forgets nodes that are gone and not in the show.
  void advance(LocalTime now);
  [[nodiscard]] ClusterView view(LocalTime now) const;
  [[nodiscard]] const FigureHistory& figures() const { return figures_; }

 private:
  void keep_recorded(const cluster::Event& event);
  void describe_macros();
  [[nodiscard]] NodeTrack* track_of(const std::string& node);
  [[nodiscard]] bool is_in_show(std::string_view node) const;
  [[nodiscard]] std::vector<NodeView> node_views(LocalTime now) const;
  [[nodiscard]] Health health_of(const NodeTrack* track, LocalTime now) const;
  void trust_other_ends(ClusterView& view) const;
  [[nodiscard]] SubmixView submix_view(const show::Submix& submix, const ClusterView& view) const;
  void look_at_former_node(SubmixView& submix, const ClusterView& view) const;
  [[nodiscard]] StreamView stream_view(const show::Stream& stream, const ClusterView& view) const;
  /// Adds the sending or the receiving end, as its node reports the end.
  void add_ends(StreamView& stream, bool is_sender, const ClusterView& view) const;
  void add_histories(StreamView& stream) const;
  void add_former_senders(ClusterView& view) const;
  [[nodiscard]] ReadingPair trusted_readings(const NodeTrack& track, Health health) const;

  ConnectionState connection_ = ConnectionState::connecting;
  std::string connection_text_;
  bool is_store_silent_ = false;
  LocalTime connection_since_{};
  LocalTime listening_since_{};  // since the connection was made
  std::map<std::string, NodeTrack, std::less<>> nodes_;
  std::deque<EventView> events_;
  std::deque<RecordedFile> recorded_;  // the newest first
  std::uint64_t next_event_id_ = 1;
  std::shared_ptr<const show::Show> show_;
  show::Show expanded_;  // the show with its macros expanded, as nodes run it
  std::uint64_t show_revision_ = 0;
  std::string show_author_;
  std::string show_error_;
  cluster::DesiredTransport transport_;
  PluginMap node_plugins_;
  std::shared_ptr<const std::map<std::string, std::vector<cluster::PluginSummary>, std::less<>>>
      plugin_lists_;
  // the nodes' plugins and the show's macros
  std::shared_ptr<const PluginMap> plugins_ = std::make_shared<const PluginMap>();
  std::uint64_t messages_dropped_ = 0;
  LocalTime next_sample_{};
  FigureHistory figures_;
};

}  // namespace submix::model
