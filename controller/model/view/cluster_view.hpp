// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/base/units.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// All that is known of the cluster at one moment, with rates worked out: what the window and the command
/// line show. Plain values; nothing in here is ever changed after ClusterModel has made it.
namespace submix::model {

enum class ConnectionState {
  connecting,  ///< not reached yet
  connected,
  lost,  ///< was connected; what is shown is old
};

enum class Health {
  absent,    ///< the show names it, nobody has ever heard of it
  starting,  ///< reported, no telemetry yet
  healthy,
  silent,   ///< no telemetry for kSilentAfter
  gone,     ///< no telemetry for kGoneAfter
  unheard,  ///< no telemetry for kSilentAfter, but frames flow from it or to it
  unknown,  ///< the control plane itself is out of reach, or its store is silent
};

inline constexpr std::chrono::milliseconds kSilentAfter{1000};  // ten readings missed
inline constexpr std::chrono::milliseconds kGoneAfter{5000};

/// The cause and the remedy of a silent store, for people.
inline constexpr std::string_view kSilentStoreCause =
    "its store does not answer; probably the disk is full where NATS keeps its state";
inline constexpr std::string_view kSilentStoreRemedy =
    "make room on that disk, then start NATS again";

/// A network card that has an address, with what it carries, for whomever.
struct CardView {
  std::string name;
  std::vector<std::string> addresses;
  int mtu_bytes = 0;
  int speed_mbit = 0;      ///< as negotiated; 0: the card does not say
  int speed_max_mbit = 0;  ///< that it can do; 0: it does not say
  bool is_up = false;
  double received_mb_per_second = 0;  ///< 10^6 bytes, headers of all kinds included
  double sent_mb_per_second = 0;

  /// Of its speed, in the busier direction, 0 to 1; empty: the card does not say how fast it is.
  [[nodiscard]] std::optional<double> share() const;
};

struct NodeView {
  std::string name;
  Health health = Health::absent;
  std::chrono::milliseconds silence{0};  ///< since its last sign of life
  /// False: this observer listens for no longer than `silence`, and it may have lasted longer.
  bool is_silence_complete = true;
  std::string host;
  std::string version;
  std::string instance;
  bool is_other_version = false;    ///< than most nodes of the cluster
  std::uint64_t show_revision = 0;  ///< it has converged to
  int cores = 0;
  double cpu_cores = 0;  ///< cores' worth of work in the last second
  std::uint64_t memory_bytes = 0;
  std::uint64_t page_faults = 0;
  double page_faults_per_second = 0;
  std::uint64_t allocations = 0;  ///< of the threads that compute and carry frames
  double allocations_per_second = 0;
  std::chrono::nanoseconds uptime{0};
  double measured_seconds = 0;  ///< over which its rates were worked out; 0: none are known
  bool is_paused = false;
  /// Which of its threads has lost the right to go ahead of other programs, and the remedy; empty: none.
  std::string realtime_loss = {};
  /// Of a node that is not heard: what its streams carry all the same, as their other ends say.
  double unheard_mb_per_second = 0;
  std::uint32_t restarts = 0;  ///< seen by this observer
  std::vector<NetworkInterface> interfaces;
  std::vector<DataEndpoint> endpoints;  ///< where it takes streams
  std::vector<double>
      core_shares;  ///< of the machine, all programs: 0 to 1 each; empty: not measured
  std::uint64_t machine_memory_bytes = 0;            ///< 0: not known
  std::uint64_t machine_memory_available_bytes = 0;  ///< never more than there is
  std::vector<CardView> cards;                       ///< in the machine's order, loopback too

  [[nodiscard]] double cpu_share() const { return cores > 0 ? cpu_cores / cores : 0.0; }
  [[nodiscard]] double busiest_core_share() const;  ///< 0 where none was measured
};

/// Fractions of the last second; they add up to 1, or are all 0 when nothing was measured.
struct StageShares {
  double working = 0;
  double starved = 0;  ///< waiting for input
  double blocked = 0;  ///< waiting for room behind it
};

struct StageView {
  std::string slot;
  std::string plugin;
  std::uint64_t frames = 0;
  double fps = 0;
  StageShares shares;
  std::vector<telemetry::QueueReading> queues;
  std::vector<std::pair<std::string, std::uint64_t>> counters;
  std::string trouble = {};   ///< why its plugin does not work, and the remedy; empty: it works
  std::uint32_t helpers = 1;  ///< that share its frames
  telemetry::LatencyReading frame_time = {};  ///< what its plugin computed on one frame, of late
  std::vector<telemetry::MovingReading> moving = {};
  /// For how long no frame has come out of it, as far as this observer knows: at least so long.
  std::chrono::milliseconds still_for{0};
  std::uint64_t frames_passed_by =
      0;  ///< that its plugin did not make: bypassed, hurried, or it made none
};

enum class SubmixState {
  unassigned,
  in_others,  ///< no node runs it, but it stands in submixes that nodes run
  waiting,    ///< its node is not there, or has not taken it up yet
  starting,
  running,
  failed,
};

struct SubmixView {
  std::string name;
  std::string node;  ///< that shall run it
  std::string
      runs_on;  ///< another node that goes on with it until `node` has taken over; empty: none
  SubmixState state = SubmixState::unassigned;
  std::string error;      ///< why it failed
  bool is_final = false;  ///< it has an output of the show (mark_shown_parts)
  bool is_shown = true;   ///< its frames reach an output; false: it is idle
  std::vector<std::string> outputs =
      {};                           ///< its slots that are outputs; empty: all that nobody reads
  std::uint64_t frames = 0;         ///< that have passed all of its terminal slots
  std::uint64_t late_frames = 0;    ///< so late that the rate was lowered for them
  telemetry::JitterReading jitter;  ///< when paced frames really passed
  show::Timeline timeline;          ///< of its oscillators, as its node says
  std::vector<telemetry::PoolReading> pools;
  double fps = 0;  ///< of its slowest output; without any, of all ends together
  std::chrono::milliseconds still_for{0};  ///< as a stage's
  std::uint64_t missed_frames = 0;  ///< passed after their deadlines, by more than a wake-up takes
  std::vector<StageView> stages;

  [[nodiscard]] const std::string& running_node() const { return runs_on.empty() ? node : runs_on; }
  [[nodiscard]] const StageView* find_stage(std::string_view slot) const;
  /// Whether another slot of the submix takes the frames of `slot`.
  [[nodiscard]] bool is_read(std::string_view slot) const;
  /// Whether `slot` is one of its outputs.
  [[nodiscard]] bool is_output(std::string_view slot) const;
};

/// Fractions of the last second, as StageShares.
struct LinkShares {
  double sending = 0;
  double blocked = 0;  ///< the link was full
  double idle = 0;     ///< nothing to send
};

struct LinkView {
  std::uint32_t index = 0;
  telemetry::LinkState state = telemetry::LinkState::connecting;
  std::string local;
  std::string remote;
  std::string error;
  std::string warning;                ///< what makes it slower than it could be
  double mb_per_second = 0;           ///< 10^6 bytes
  double capacity_mb_per_second = 0;  ///< measured while it was busy; 0: not yet
  double greatest_mb_per_second =
      0;  ///< that it has carried between its two ends, over a second; 0: not known
  double limit_mb_per_second =
      0;  ///< carried of late while more waited; 0: of late nothing had to wait
  LinkShares shares;
  std::uint64_t bytes = 0;
  std::uint64_t queue_bytes = 0;
  std::uint64_t queue_limit_bytes = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t stripes_damaged = 0;  ///< came with a wrong checksum, as the receiver says
  double share = 0;  ///< of what all links of the stream's end carried in the last second
  std::chrono::nanoseconds round_trip{
      0};  ///< sender: smoothed by TCP, queues included; 0: not known
  std::uint64_t segments_retransmitted = 0;  ///< sender: by TCP
  std::uint64_t bytes_retransmitted = 0;
  double retransmits_per_second = 0;  ///< segments
  std::vector<float> history;         ///< MB/s, oldest first, kHistoryPeriod apart, newest is now

  [[nodiscard]] double queue_fill() const;  ///< 0 to 1
  /// The greatest rate that the node, or this observer, knows.
  [[nodiscard]] double best_mb_per_second() const;
  [[nodiscard]] bool is_open() const { return state == telemetry::LinkState::open; }
};

struct StreamEndView {
  std::string node;         ///< empty: no node reports this end
  bool is_current = false;  ///< the node is healthy
  Size size;                ///< these two: of its frames; 0 x 0: its node does not say
  FrameRate rate{};
  std::uint64_t epoch = 0;
  std::uint64_t frames = 0;           ///< sender: acknowledged; receiver: handed to the patch
  std::uint64_t frames_produced = 0;  ///< sender: taken from the patch; receiver: released in order
  std::uint64_t frames_dropped = 0;
  std::uint64_t frames_duplicated = 0;
  std::uint64_t frames_skipped = 0;  ///< sender: gave way to newer ones, by its policy or detached
  std::string
      detached;  ///< sender: why frames pass the receiver by; receiver: why none is waited for
  std::uint64_t frames_copied = 0;  ///< by shared memory: that could not be read where they were
  std::uint32_t frames_queued = 0;
  std::uint32_t frames_unsent = 0;     ///< sender: of these, no link has begun them
  std::uint32_t frames_left_over = 0;  ///< receiver: of these, released before an epoch ended
  std::uint32_t credits = 0;
  double fps = 0;
  double blocked_share = 0;           ///< sender: waited for credit; receiver: waited for frames
  telemetry::LatencyReading latency;  ///< sender: from there to the receiver's patch
  std::chrono::nanoseconds round_trip{0};    ///< sender
  std::chrono::nanoseconds clock_offset{0};  ///< sender: the receiver's clock less its own
  std::vector<LinkView> links;
  std::vector<telemetry::EpochReading> epochs;  ///< the last ones that ended, then the running one
  std::uint64_t frames_forgotten = 0;           ///< receiver: released in ended epochs before these
  /// The running epoch as it was about a second before; empty: not known.
  std::optional<telemetry::EpochReading> earlier;
  bool is_still = false;  ///< no frame moved in that second

  /// The running one; null: none runs.
  [[nodiscard]] const telemetry::EpochReading* running_epoch() const;
};

struct StreamView {
  std::string name;
  show::Port from;
  show::Port to;
  show::InputPolicy policy = show::InputPolicy::wait;
  StreamEndView sender;
  StreamEndView receiver;
  /// Of the show's size and rate, while `sender` or `receiver` is a former patch's, of another one, which
  /// runs on. Without a node: there is none.
  StreamEndView next_sender = {};
  StreamEndView next_receiver = {};
  /// Of senders that ran on other nodes than the present one's, and have ended.
  std::vector<telemetry::EpochReading> former_senders = {};
  bool is_handing_over = false;  ///< one of those sends still
  bool is_shown = true;          ///< its frames reach an output of the show

  /// The sender's links, or the receiver's while the sender says nothing.
  [[nodiscard]] const std::vector<LinkView>& links() const;
  [[nodiscard]] double mb_per_second() const;
};

struct EventView {
  std::uint64_t id = 0;  ///< grows
  LocalTime at{};
  std::uint32_t count = 1;  ///< the same, again and again
  cluster::Event event;
};

/// What can be undone and what is on its way.
struct EditView {
  std::string undo_title;  ///< empty: nothing to undo
  std::string redo_title;
  bool is_writing = false;  ///< some edit has not reached the cluster yet
  bool is_own = false;      ///< the cluster's show was written here
  /// What people did is numbered. The step that undo takes back; 0: none.
  std::uint64_t undo_step = 0;
  /// The newest on its way, or else in the last write: a step, an undo, a first show. 0: only faders' edits.
  std::uint64_t writing_step = 0;
  std::string writing_title;  ///< of that one
};

struct Bottleneck;
struct VerdictSpan;
/// A file that a person wants something in.
struct ExportView {
  std::string path;  ///< empty: none has been asked for
  bool is_saving = false;
  std::string error;  ///< why it was not written
};

struct Alert;
struct TraceView;
struct FigureKey;
struct FigureSeries;
/// The file that this controller has the show in.
struct ShowFileView {
  std::string path;          ///< empty: none yet
  bool is_modified = false;  ///< the show is not as the file has it
  bool is_saving = false;
  std::string opening;             ///< the file that is being read; empty: none is
  std::uint64_t ticket_ended = 0;  ///< of the last save with a ticket that was written, or was not
  std::string save_error;          ///< why that one was not written; empty: it was
};

struct FolderEntry {
  std::string name;
  bool is_folder = false;

  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// A folder that a person looks for a show in.
struct FolderView {
  std::string path;
  std::vector<FolderEntry> entries;  ///< folders, then shows, each by name
  std::string error;                 ///< why it cannot be listed
};

struct ClusterView {
  LocalTime now{};
  ConnectionState connection = ConnectionState::connecting;
  LocalTime connection_since{};  ///< when it became so
  std::string connection_text;   ///< "nats://127.0.0.1:4222", or why not
  bool is_store_silent = false;  ///< NATS is reached, but its store does not answer
  std::shared_ptr<const show::Show>
      show;  ///< the desired show with the edits under way; null: none
  std::shared_ptr<const show::Show>
      good_show;  ///< the last one that ran everywhere without a fault; null: none
  /// Those that have run at their rate; null: nobody keeps them.
  std::shared_ptr<const std::vector<std::shared_ptr<const show::Show>>> ran_shows;
  std::uint64_t show_revision = 0;
  std::string show_author;
  std::string show_error;  ///< the desired show cannot be read
  cluster::DesiredTransport transport;
  double master_fps = 0;               ///< of the slowest output
  std::vector<NodeView> nodes;         ///< in the show's order, then the others by name
  std::vector<SubmixView> submixes;    ///< in the show's order
  std::vector<StreamView> streams;     ///< in the show's order
  std::vector<EventView> events;       ///< newest last
  std::uint64_t messages_dropped = 0;  ///< by this observer, which was too slow
  EditView edit;
  std::shared_ptr<const Bottleneck> bottleneck;  ///< find_bottleneck() of it; null: nobody asked
  std::shared_ptr<const std::vector<VerdictSpan>>
      verdicts;  ///< of the last minutes; null: nobody keeps them
  /// Of the streams that somebody watches; null: of none.
  std::shared_ptr<const std::map<FigureKey, FigureSeries>> figures;
  std::shared_ptr<const TraceView> trace;  ///< null: nobody takes any
  ExportView ledger_file;
  std::shared_ptr<const std::vector<Alert>> alerts;  ///< null: nobody keeps them
  ShowFileView file;
  std::shared_ptr<const FolderView> folder;  ///< the last one asked for; null: none
  bool is_read_only = false;                 ///< this controller changes nothing
  std::shared_ptr<const std::map<std::string, cluster::PluginSummary, std::less<>>>
      plugins;  ///< by id
  /// What each node that was asked said, refused ones among them, by id; never null once there was an answer.
  std::shared_ptr<const std::map<std::string, std::vector<cluster::PluginSummary>, std::less<>>>
      plugin_lists;
  /// Why a node that was asked has not told its plugins; null: all have.
  std::shared_ptr<const std::map<std::string, std::string, std::less<>>> plugin_errors;

  /// Whether all that is desired and reported is known as it is now: NATS is reached, and no node's health is
  /// unknown.
  [[nodiscard]] bool is_known_now() const;
  [[nodiscard]] const NodeView* find_node(std::string_view name) const;
  [[nodiscard]] const SubmixView* find_submix(std::string_view name) const;
  [[nodiscard]] const cluster::PluginSummary* find_plugin(std::string_view id) const;
  /// Null: it was not asked yet, or did not answer.
  [[nodiscard]] const std::vector<cluster::PluginSummary>* find_plugin_list(
      std::string_view node) const;
  /// The checkers' counters added up by name, e.g. {"lost", 0}; empty without a checker.
  [[nodiscard]] std::map<std::string, std::uint64_t> checker_counters() const;
};

[[nodiscard]] std::string_view to_string(ConnectionState connection);
[[nodiscard]] std::string_view to_string(Health health);
[[nodiscard]] std::string_view to_string(SubmixState state);

}  // namespace submix::model
