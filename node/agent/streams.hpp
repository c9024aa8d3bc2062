// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/network.hpp"
#include "common/cluster/messages.hpp"
#include "common/link/data_plane.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "node/agent/draining_receivers.hpp"
#include "node/agent/draining_senders.hpp"
#include "node/agent/epoch_clock.hpp"
#include "node/agent/peers_ready.hpp"
#include "node/agent/standby_pictures.hpp"
#include "node/engine/transport.hpp"
#include "node/io/stream/stream_in.hpp"
#include "node/io/stream/stream_out.hpp"
#include "node/plugin/catalog.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// This node's ends of the show's streams. An end outlives a rebuilt patch: the new patch's
/// stream-in and stream-out continue where the old patch's stopped.
///
/// A submix that moves leaves no gap. Its new node's sender contacts the receiver once the sender
/// has a frame; the newer epoch then ends the former sender's. Streams into the moved submix go to
/// the former node until the new node runs the submix. They also change over once kMovePatience has
/// passed and no link to the former node is open.
///
/// A stream that changes its size or rate has two ends at each node for a while. The former ends
/// carry frames as long as their patches live; the new ends connect meanwhile. Policies and links
/// apply to both.
///
/// A receiver may have met an epoch greater than its sender's: the sender's node heard of that
/// epoch too late. Once the sender's node has heard of it, and knows the show that the receiver's
/// node follows, the sender restarts with a greater epoch.
///
/// A receiver's epoch may be unbelievable. At the next revision of the show the receiver gives this
/// epoch up, and the sender restarts once.
///
/// Threads  Synchronized.
class Streams {
 public:
  static constexpr std::chrono::seconds kMovePatience{5};
  /// How long a sender refused for a greater epoch waits for a newer show that explains the
  /// refusal.
  static constexpr std::chrono::seconds kOutbidPatience{1};

  struct Dependencies {
    link::DataPlane& data_plane;  ///< these five outlive the Streams
    const engine::Transport& transport;
    EventSink& events;
    const Clock& clock;
    EpochClock& epochs;
    StandbyPictures::Files pictures;
  };
  /// The epoch and revision in a node's report.
  struct EpochReport {
    std::uint64_t epoch = 0;          ///< the greatest epoch known to the node
    std::uint64_t show_revision = 0;  ///< revision of the node's show
  };
  Streams(std::string node, Dependencies dependencies);

  /// Adds the plugins stream-in and stream-out. They find their stream by submix and slot.
  void add_plugins(plugin::Catalog& catalog);

  /// Closes ends that the show no longer has on this node. New ends open when a patch asks for
  /// them. Links, policies and pause budgets change while frames flow.
  void follow(const show::Show& show, std::uint64_t revision) SUBMIX_EXCLUDES(mutex_);
  /// Sets the addresses at which `node` accepts data now.
  void set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints,
                     const LocalEndpoint& local) SUBMIX_EXCLUDES(mutex_);
  /// Sets the submixes that `node` runs, from its report.
  void set_running(const std::string& node, const std::vector<cluster::SubmixReport>& submixes)
      SUBMIX_EXCLUDES(mutex_);
  /// Takes a node's report of its epoch: senders to this node may restart. Not called on a node
  /// that has met another node with its own name: the two would outbid each other for ever.
  void set_epoch_report(const std::string& node, const EpochReport& report) SUBMIX_EXCLUDES(mutex_);
  /// Ends drained ends, and continues senders that waited for them. Call regularly. Returns the
  /// outputs whose streams must be opened anew: their slots must be renewed.
  [[nodiscard]] std::vector<show::Port> tend() SUBMIX_EXCLUDES(mutex_);
  /// Whether a change waits for tend() and may finish without a change of the show.
  [[nodiscard]] bool is_changing() const SUBMIX_EXCLUDES(mutex_);
  /// Whether the new node of `submix`, which has run here, delivers its frames. True once receivers
  /// have refused this node's frames for newer ones and none accepts them any more. For a submix
  /// without streams: once its new node reports frames and no fault.
  [[nodiscard]] bool has_taken_over(const std::string& submix) const SUBMIX_EXCLUDES(mutex_);
  /// Another node with frames of `submix`, by its report; empty: none.
  [[nodiscard]] std::string other_node_of(const std::string& submix) const SUBMIX_EXCLUDES(mutex_);

  /// How many peers of the streams of `submix`, which runs here, are ready. A receiver is ready
  /// when it accepts frames of `submix`, a sender when its first frame has arrived.
  [[nodiscard]] PeersReady peers_ready(std::string_view submix) const SUBMIX_EXCLUDES(mutex_);

  /// The stand-by pictures of the inputs on this node.
  [[nodiscard]] StandbyPictures& pictures() { return pictures_; }
  [[nodiscard]] std::vector<telemetry::StreamReading> readings() const SUBMIX_EXCLUDES(mutex_);
  /// The greatest epoch of this node's receivers; 0: none has met one.
  [[nodiscard]] std::uint64_t greatest_epoch_met() const SUBMIX_EXCLUDES(mutex_);

 private:
  /// The addresses at which a node accepts data.
  struct Endpoints {
    std::vector<DataEndpoint> addresses;
    LocalEndpoint local;

    friend bool operator==(const Endpoints&, const Endpoints&) = default;
  };
  /// The submixes in a node's report.
  struct ReportedSubmixes {
    std::set<std::string> all;
    /// Submixes of `all` with frames and without a fault.
    std::set<std::string> faultless;
    /// Submixes with frames; includes submixes that run on as before after a failed change.
    std::set<std::string> with_frames;
  };
  struct Sender {
    show::Stream stream;
    std::shared_ptr<io::StreamEdge> edge;
    std::string destination;  // the receiver's node; empty: none yet
    // Set while the receiving submix moves to a node that does not run it yet.
    std::optional<LocalTime> moves_by;
    std::uint64_t epoch = 0;
    std::uint64_t revision = 0;  // revision of the show in which the sender began
    std::optional<LocalTime> outbid_since;
    bool waits_for_frame = false;  // contacts its receiver once it has a frame
  };
  struct Receiver {
    show::Port to;
    std::shared_ptr<link::StreamReceiver> end;
    std::shared_ptr<io::StreamPolicy> policy;
  };
  Result<io::StreamInput> open_input(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<io::StreamOutput> open_output(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<std::shared_ptr<io::StreamEdge>> open_edge(const show::Stream& stream,
                                                    const plugin::Setup& setup)
      SUBMIX_REQUIRES(mutex_);
  /// Whether the receiver is on this machine, or its place is unknown yet.
  [[nodiscard]] bool is_receiver_near(const show::Stream& stream) const SUBMIX_REQUIRES(mutex_);
  void point_to_receiver(Sender& sender) SUBMIX_REQUIRES(mutex_);
  /// Follows the receiving submix, which may have moved.
  void follow_receiver(Sender& sender) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] static bool is_any_link_open(const link::StreamSender& sender);
  /// Whether the submix's new node has a sender that can end this one: both have the same receiver.
  [[nodiscard]] bool has_heir(const DrainingSenders::Sender& draining) const
      SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::string find_other_node(const std::string& submix) const
      SUBMIX_REQUIRES(mutex_);
  void drain_senders() SUBMIX_REQUIRES(mutex_);
  /// Whether the receiver has met a greater epoch, reported by a node that knows no newer show.
  [[nodiscard]] bool is_outbid(const Sender& sender) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::vector<show::Port> drain_outbid_senders(LocalTime now) SUBMIX_REQUIRES(mutex_);
  void drain_receivers() SUBMIX_REQUIRES(mutex_);
  void add_ended_epochs(telemetry::StreamReading& reading) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::vector<telemetry::StreamReading> sender_readings() const
      SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::vector<telemetry::StreamReading> receiver_readings() const
      SUBMIX_REQUIRES(mutex_);
  void note_arrivals(const show::Show& next) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] Result<std::shared_ptr<link::StreamReceiver>> receiver_for(
      const show::Stream& stream, const plugin::Setup& setup) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::string node_of(const show::Port& port) const SUBMIX_REQUIRES(mutex_);
  /// Whether an end of a stream has the show's size and rate.
  template <typename End>
  [[nodiscard]] bool has_format(const End& end) const SUBMIX_REQUIRES(mutex_) {
    return end.size() == show_.size && end.rate() == show_.rate;
  }

  const std::string node_;
  link::DataPlane& data_plane_;
  const engine::Transport& transport_;
  EventSink& events_;
  const Clock& clock_;
  EpochClock& epochs_;
  StandbyPictures pictures_;
  mutable Mutex mutex_;
  show::Show show_ SUBMIX_GUARDED_BY(mutex_);
  std::uint64_t revision_ SUBMIX_GUARDED_BY(mutex_) = 0;  // revision of `show_`
  std::map<std::string, EpochReport> epoch_reports_ SUBMIX_GUARDED_BY(mutex_);  // by node
  std::map<std::string, Endpoints> endpoints_ SUBMIX_GUARDED_BY(mutex_);        // by node
  std::map<std::string, Sender> senders_ SUBMIX_GUARDED_BY(mutex_);             // by stream
  std::map<std::string, Receiver> receivers_ SUBMIX_GUARDED_BY(mutex_);
  DrainingSenders draining_senders_ SUBMIX_GUARDED_BY(mutex_);
  // Streams whose sender ran on another node before.
  std::set<std::string> arriving_ SUBMIX_GUARDED_BY(mutex_);
  DrainingReceivers draining_receivers_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, ReportedSubmixes> running_ SUBMIX_GUARDED_BY(mutex_);  // by node
};

}  // namespace submix::agent
