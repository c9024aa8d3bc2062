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
#include "node/agent/epoch_clock.hpp"
#include "node/agent/leaving_senders.hpp"
#include "node/agent/met.hpp"
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

/// This node's ends of the show's streams. They outlive a rebuilt patch: the new patch's stream-in and
/// stream-out go on where the old one's stopped.
///
/// A submix that moves leaves no gap: its new node's sender looks for the receiver once it has a frame, which
/// ends the former one's epoch. Its own senders go on sending to the former node until the new node runs the
/// submix, or until kMovePatience has passed and no link to the former node is open any more.
///
/// A stream that goes over to another size or rate has two ends at each node for a while: the former ones
/// carry frames for as long as their patches live, and the new ones find each other meanwhile. Policies and
/// links reach both.
///
/// Where a receiver has met a greater epoch than a sender's that the show has here, the sender's node heard
/// of that too late: once it has, and knows the show that the receiver's node knows, the sender begins anew
/// with a greater one.
///
/// Where a receiver's epoch is not believable, the show's next revision helps: the receiver gives that epoch
/// up, and the sender begins anew once.
///
/// Threads  Synchronized.
class Streams {
 public:
  static constexpr std::chrono::seconds kMovePatience{5};
  /// How long a sender that is refused for a greater epoch waits for a show that says why.
  static constexpr std::chrono::seconds kOutbidPatience{1};

  struct Surroundings {
    link::DataPlane& data_plane;  ///< these five outlive the streams
    const engine::Transport& transport;
    EventSink& events;
    const Clock& clock;
    EpochClock& epochs;
    StandbyPictures::Files pictures;
  };
  /// What a node has reported of itself.
  struct Word {
    std::uint64_t epoch = 0;          ///< the greatest that it knows
    std::uint64_t show_revision = 0;  ///< of the show that it follows
  };
  Streams(std::string node, Surroundings surroundings);

  /// Adds the plugins stream-in and stream-out, which find their stream by submix and slot.
  void add_plugins(plugin::Catalog& catalog);

  /// Closes the ends that the show no longer has on this node; new ones open when a patch asks for them.
  /// Links, policies and pause budgets change while frames flow.
  void follow(const show::Show& show, std::uint64_t revision) SUBMIX_EXCLUDES(mutex_);
  /// Where `node` takes data now.
  void set_endpoints(const std::string& node, std::vector<DataEndpoint> endpoints,
                     const LocalEndpoint& door) SUBMIX_EXCLUDES(mutex_);
  /// What `node` runs now, as it has reported.
  void set_running(const std::string& node, const std::vector<cluster::SubmixReport>& submixes)
      SUBMIX_EXCLUDES(mutex_);
  /// Where senders may begin anew for it. A node that has met another one of its name is told of none: they
  /// would outbid each other for ever.
  void set_word(const std::string& node, const Word& word) SUBMIX_EXCLUDES(mutex_);
  /// Ends what is done, and goes on with what waited for it; now and then. Outputs whose streams must be
  /// opened anew: their slots are to be renewed.
  [[nodiscard]] std::vector<show::Port> tend() SUBMIX_EXCLUDES(mutex_);
  /// Whether something waits for tend(), and is not known to wait for a mend of the show.
  [[nodiscard]] bool is_changing() const SUBMIX_EXCLUDES(mutex_);
  /// Whether the new node of `submix`, which has run here, delivers it: receivers of its streams have refused
  /// this node's frames for newer ones, and none takes them any more. Of a submix that sends none: its new
  /// node has reported that it makes frames, without a fault.
  [[nodiscard]] bool has_taken_over(const std::string& submix) const SUBMIX_EXCLUDES(mutex_);
  /// Another node that still makes frames of `submix`, as it has reported; empty: none does.
  [[nodiscard]] std::string other_node_of(const std::string& submix) const SUBMIX_EXCLUDES(mutex_);

  /// How many of the far ends of the streams of `submix`, which runs here, are there: receivers that take its
  /// frames, senders that have sent one.
  [[nodiscard]] Met are_met(std::string_view submix) const SUBMIX_EXCLUDES(mutex_);

  /// The stand-by pictures of its inputs.
  [[nodiscard]] StandbyPictures& pictures() { return pictures_; }
  [[nodiscard]] std::vector<telemetry::StreamReading> readings() const SUBMIX_EXCLUDES(mutex_);
  /// The greatest that a receiver is in; 0: none has met any.
  [[nodiscard]] std::uint64_t greatest_epoch_met() const SUBMIX_EXCLUDES(mutex_);

 private:
  /// Where a node takes data.
  struct Reach {
    std::vector<DataEndpoint> endpoints;
    LocalEndpoint door;

    friend bool operator==(const Reach&, const Reach&) = default;
  };
  /// Submixes that a node runs.
  struct Runs {
    std::set<std::string> all;
    std::set<std::string> faultless;  ///< of these: those that have made a frame, and have no fault
    std::set<std::string>
        with_frames;  ///< also those that go on as before, since a change of them failed
  };
  struct Sender {
    show::Stream stream;
    std::shared_ptr<io::StreamEdge> edge;
    std::string destination;  // the node it sends to; empty: nowhere yet
    std::optional<LocalTime>
        moves_by;  // to another one, which does not run the receiving submix yet
    std::uint64_t epoch = 0;
    std::uint64_t revision = 0;  // of the show in which it began
    std::optional<LocalTime> outbid_since;
    bool waits_for_frame = false;  // before it looks for its receiver
  };
  struct Receiver {
    show::Port to;
    std::shared_ptr<link::StreamReceiver> end;
    std::shared_ptr<io::StreamPolicy> policy;
  };
  /// A slot owns it.
  struct Parting {
    std::string stream;
    show::Port to;
    std::weak_ptr<link::StreamReceiver> end;
    std::weak_ptr<io::StreamPolicy> policy;
  };

  Result<io::StreamInput> open_input(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<io::StreamOutput> open_output(const plugin::Setup& setup) SUBMIX_EXCLUDES(mutex_);
  Result<std::shared_ptr<io::StreamEdge>> open_edge(const show::Stream& stream,
                                                    const plugin::Setup& setup)
      SUBMIX_REQUIRES(mutex_);
  /// Whether its receiver is on this machine, or nobody knows yet.
  [[nodiscard]] bool is_receiver_near(const show::Stream& stream) const SUBMIX_REQUIRES(mutex_);
  void point_to_receiver(Sender& sender) SUBMIX_REQUIRES(mutex_);
  /// The receiving submix may have moved.
  void follow_receiver(Sender& sender) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] static bool is_any_link_open(const link::StreamSender& sender);
  /// Whether a sender on the new node of its submix can end it: both have the same receiver.
  [[nodiscard]] bool has_heir(const LeavingSenders::Leaving& leaving) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::string find_other_node(const std::string& submix) const
      SUBMIX_REQUIRES(mutex_);
  void part_with_senders() SUBMIX_REQUIRES(mutex_);
  /// Whether its receiver has met a greater epoch, by the word of a node that knows no newer show.
  [[nodiscard]] bool is_outbid(const Sender& sender) const SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] std::vector<show::Port> part_with_outbid_senders(LocalTime now)
      SUBMIX_REQUIRES(mutex_);
  void part_with_receivers() SUBMIX_REQUIRES(mutex_);
  void follow_policy(const Parting& parting) const SUBMIX_REQUIRES(mutex_);
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
  std::uint64_t revision_ SUBMIX_GUARDED_BY(mutex_) = 0;             // of that show
  std::map<std::string, Word> words_ SUBMIX_GUARDED_BY(mutex_);      // by node
  std::map<std::string, Reach> reach_ SUBMIX_GUARDED_BY(mutex_);     // by node
  std::map<std::string, Sender> senders_ SUBMIX_GUARDED_BY(mutex_);  // by stream
  std::map<std::string, Receiver> receivers_ SUBMIX_GUARDED_BY(mutex_);
  LeavingSenders leaving_ SUBMIX_GUARDED_BY(mutex_);
  std::set<std::string> arriving_
      SUBMIX_GUARDED_BY(mutex_);  // streams whose sender ran on another node
  /// Receivers that the show has no more, while a slot that ends still waits in them, or one that could not
  /// go over to another format goes on with them.
  std::vector<Parting> parting_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, Runs> running_ SUBMIX_GUARDED_BY(mutex_);  // by node
};

}  // namespace submix::agent
