// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/display.hpp"
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

/// The state of the cluster at one moment, with rates. The window and the command line show these
/// values. ClusterModel makes a ClusterView; nobody changes the view afterwards.
namespace submix::model {

enum class ConnectionState {
  connecting,  ///< not reached yet
  connected,
  lost,  ///< was connected; the figures are old
};

enum class Health {
  absent,    ///< the show names the node, but no report ever came
  starting,  ///< reported, no telemetry yet
  healthy,
  silent,   ///< no telemetry for kSilentAfter
  gone,     ///< no telemetry for kGoneAfter
  unheard,  ///< no telemetry for kSilentAfter, but frames flow from or to the node
  unknown,  ///< NATS or its store is out of reach
};

inline constexpr std::chrono::milliseconds kSilentAfter{1000};  // ten readings missed
inline constexpr std::chrono::milliseconds kGoneAfter{5000};

/// The cause and the remedy of a silent store, for people.
inline constexpr std::string_view kSilentStoreCause =
    "its store does not answer; probably the disk is full where NATS keeps its state";
inline constexpr std::string_view kSilentStoreRemedy =
    "make room on that disk, then start NATS again";

/// A network card with an address, and its load from all programs.
struct CardView {
  std::string name;
  std::vector<std::string> addresses;
  int mtu_bytes = 0;
  int speed_mbit = 0;      ///< as negotiated; 0: not known
  int speed_max_mbit = 0;  ///< the card's maximum; 0: not known
  bool is_up = false;
  double received_mb_per_second = 0;  ///< 10^6 bytes, headers of all kinds included
  double sent_mb_per_second = 0;

  /// Used part of the card's speed, in the busier direction, 0 to 1. Empty: the speed is not known.
  [[nodiscard]] std::optional<double> share() const;
};

struct NodeView {
  std::string name;
  Health health = Health::absent;
  std::chrono::milliseconds silence{0};  ///< since the node's last sign of life
  /// False: the observer began to listen after the silence began, so `silence` is a lower bound.
  bool is_silence_complete = true;
  std::string host;     ///< the name of its machine
  std::string machine;  ///< machine_id() there; empty: an older version, or nothing is known
  std::string version;
  std::string instance;
  bool is_other_version = false;    ///< differs from most nodes of the cluster
  std::uint64_t show_revision = 0;  ///< newest revision that the node runs
  int cores = 0;
  double cpu_cores = 0;  ///< cores' worth of work in the last second
  std::uint64_t memory_bytes = 0;
  std::uint64_t page_faults = 0;
  double page_faults_per_second = 0;
  std::uint64_t allocations = 0;  ///< by the threads that compute and carry frames
  double allocations_per_second = 0;
  std::chrono::nanoseconds uptime{0};
  double measured_seconds = 0;  ///< period of the node's rates; 0: no rates are known
  bool is_paused = false;
  /// Which thread has lost its real-time priority, and the remedy. Empty: none.
  std::string realtime_loss = {};
  telemetry::SoundReading sound = {};
  /// Traffic of an unheard node's streams, as the other ends report.
  double unheard_mb_per_second = 0;
  std::uint32_t restarts = 0;  ///< seen by this observer
  std::vector<NetworkInterface> interfaces;
  std::vector<DataEndpoint> endpoints;          ///< where the node accepts streams
  std::vector<Display> displays;                ///< of its machine, by number
  std::vector<CaptureDevice> capture_devices;   ///< of its machine
  std::vector<CaptureDevice> sound_devices;     ///< its inputs of sound
  std::vector<CaptureDevice> loopback_devices;  ///< that it can write, for other programs
  /// Load of each core of the machine by all programs, 0 to 1. Empty: not measured.
  std::vector<double> core_shares;
  std::uint64_t machine_memory_bytes = 0;            ///< 0: not known
  std::uint64_t machine_memory_available_bytes = 0;  ///< never more than machine_memory_bytes
  std::vector<CardView> cards;                       ///< in the machine's order, loopback included

  [[nodiscard]] double cpu_share() const { return cores > 0 ? cpu_cores / cores : 0.0; }
  [[nodiscard]] double busiest_core_share() const;  ///< 0 where no core was measured
  /// Whether the node takes part in the show, or is about to: healthy or starting.
  [[nodiscard]] bool is_present() const {
    return health == Health::healthy || health == Health::starting;
  }
};

inline constexpr double kMostOfTheTime = 0.5;  ///< the least share that counts as most

/// Fractions of the last second. The sum is 1, or 0 when nothing was measured.
struct StageShares {
  double working = 0;
  double starved = 0;  ///< waiting for input
  double blocked = 0;  ///< waiting for room behind the slot
};

struct StageView {
  std::string slot;
  std::string plugin;
  std::uint64_t frames = 0;
  double fps = 0;
  StageShares shares;
  std::vector<telemetry::QueueReading> queues;
  telemetry::Counters counters;
  std::string trouble = {};   ///< why the plugin fails, and the remedy; empty: the plugin works
  std::uint32_t helpers = 1;  ///< threads that share the slot's frames
  telemetry::LatencyReading frame_time = {};  ///< recent compute time of one frame
  /// Lower bound of the time since the last frame, as this observer saw.
  std::chrono::milliseconds still_for{0};
  /// Frames without the plugin's own picture: bypassed, hurried, or the plugin failed.
  std::uint64_t frames_passed_by = 0;
  /// Part of the working time in which the slot was ready to run, but had no core; of all helpers.
  /// Known of plugins in processes of their own.
  double run_delay = 0;

  /// Of the plugin's own counters; 0: it has none of this name.
  [[nodiscard]] std::uint64_t counter(std::string_view name) const;
};

enum class SubmixState {
  unassigned,
  in_others,  ///< no node runs it alone, but running submixes contain it
  waiting,    ///< its node is missing, or has not begun the submix yet
  starting,
  running,
  failed,
};

struct SubmixView {
  std::string name;
  std::string node;  ///< the node assigned by the show
  /// Another node that runs the submix until `node` has taken over. Empty: none.
  std::string runs_on;
  SubmixState state = SubmixState::unassigned;
  std::string error;      ///< why the submix failed
  bool is_final = false;  ///< has an output of the show (mark_shown_parts)
  bool is_shown = true;   ///< its frames reach an output; false: idle
  /// Its output slots. Empty: every slot without a reader.
  std::vector<std::string> outputs = {};
  std::uint64_t frames = 0;                ///< frames that have passed all of its terminal slots
  std::uint64_t late_frames = 0;           ///< late frames for which the rate was lowered
  telemetry::JitterReading jitter;         ///< actual times of paced frames
  telemetry::LatencyReading delay;         ///< from the start of a source's frame to its last slot
  telemetry::ShowCountReading show_count;  ///< the show's numbers of its frames
  std::vector<telemetry::PoolReading> pools;
  double fps = 0;  ///< of its slowest output; without outputs, of all ends together
  std::chrono::milliseconds still_for{0};  ///< as StageView::still_for
  /// frames later than their deadlines by more than a wake-up takes
  std::uint64_t missed_frames = 0;
  std::vector<StageView> stages;

  [[nodiscard]] const std::string& running_node() const { return runs_on.empty() ? node : runs_on; }
  [[nodiscard]] const StageView* find_stage(std::string_view slot) const;
  /// Whether another slot of the submix reads `slot`.
  [[nodiscard]] bool is_read(std::string_view slot) const;
  /// Whether `slot` is an output of the submix.
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
  std::string warning;                ///< why the link is slower than possible
  double mb_per_second = 0;           ///< 10^6 bytes
  double capacity_mb_per_second = 0;  ///< measured while the link was busy; 0: not yet
  /// Greatest rate between these two ends, over one second. 0: not known.
  double greatest_mb_per_second = 0;
  /// Recent rate while more data waited. 0: no data had to wait recently.
  double limit_mb_per_second = 0;
  LinkShares shares;
  std::uint64_t bytes = 0;
  std::uint64_t queue_bytes = 0;
  std::uint64_t queue_limit_bytes = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t stripes_damaged = 0;  ///< with a wrong checksum or tag, as the receiver reports
  Protection protection = Protection::none;
  double share = 0;  ///< part of the end's traffic that this link carried in the last second
  std::chrono::nanoseconds round_trip{
      0};  ///< Sender: smoothed by TCP, queues included. 0: not known.
  std::uint64_t segments_retransmitted = 0;  ///< sender: by TCP
  std::uint64_t bytes_retransmitted = 0;
  double retransmits_per_second = 0;  ///< segments
  std::vector<float> history;  ///< MB/s, oldest first, kHistoryPeriod apart; the newest is now

  [[nodiscard]] double queue_fill() const;  ///< 0 to 1
  /// The greatest rate that the node or this observer knows.
  [[nodiscard]] double best_mb_per_second() const;
  [[nodiscard]] bool is_open() const { return state == telemetry::LinkState::open; }
  /// Open and not encrypted: whoever taps the cable sees its pixels.
  [[nodiscard]] bool is_in_clear() const {
    return is_open() && !is_cipher(protection) && local != telemetry::kSharedMemory;
  }
};

struct StreamEndView {
  std::string node;         ///< empty: no node reports this end
  bool is_current = false;  ///< the node is healthy
  Size size;                ///< size and rate of the frames; 0 x 0: its node does not report them
  FrameRate rate{};
  std::uint64_t epoch = 0;
  std::uint64_t frames = 0;           ///< sender: acknowledged; receiver: delivered to the patch
  std::uint64_t frames_produced = 0;  ///< sender: taken from the patch; receiver: released in order
  std::uint64_t frames_dropped = 0;
  std::uint64_t frames_duplicated = 0;
  /// sender: replaced by newer frames (policy or detached receiver)
  std::uint64_t frames_skipped = 0;
  /// Sender: why frames skip the receiver. Receiver: why the input does not wait.
  std::string detached;
  std::uint64_t frames_copied = 0;  ///< by shared memory: frames that could not be read in place
  std::uint32_t frames_queued = 0;
  std::uint32_t frames_unsent = 0;     ///< sender: queued frames that no link has begun
  std::uint32_t frames_left_over = 0;  ///< receiver: queued frames, released before an epoch ended
  std::uint32_t credits = 0;
  double fps = 0;
  double blocked_share = 0;           ///< sender: waited for credit; receiver: waited for frames
  telemetry::LatencyReading latency;  ///< sender: from the sender to the receiver's patch
  std::chrono::nanoseconds round_trip{0};    ///< sender
  std::chrono::nanoseconds clock_offset{0};  ///< sender: the receiver's clock less its own
  std::vector<LinkView> links;
  std::vector<telemetry::EpochReading> epochs;  ///< the last ended epochs, then the running one
  std::uint64_t frames_forgotten = 0;  ///< receiver: released in ended epochs before `epochs`
  /// The running epoch about a second earlier. Empty: not known.
  std::optional<telemetry::EpochReading> earlier;
  bool is_still = false;  ///< no frame moved in that second

  /// The running epoch. Null: none runs.
  [[nodiscard]] const telemetry::EpochReading* running_epoch() const;
};

struct StreamView {
  std::string name;
  show::Port from;
  show::Port to;
  show::InputPolicy policy = show::InputPolicy::wait;
  StreamEndView sender;
  StreamEndView receiver;
  /// The ends with the show's size and rate, while `sender` or `receiver` still runs with a former
  /// size or rate. Without a node: no such end.
  StreamEndView next_sender = {};
  StreamEndView next_receiver = {};
  /// Epochs of ended senders on nodes that ran the submix before.
  std::vector<telemetry::EpochReading> former_senders = {};
  bool is_handing_over = false;  ///< a former sender still sends
  bool is_shown = true;          ///< its frames reach an output of the show

  /// The sender's links, or the receiver's while the sender reports nothing.
  [[nodiscard]] const std::vector<LinkView>& links() const;
  /// Whether links() are as the sender reports them: `local` is then the sender's address.
  [[nodiscard]] bool are_links_of_sender() const { return &links() == &sender.links; }
  [[nodiscard]] double mb_per_second() const;
  /// "encrypted" or "in the clear"; empty without an open link between PCs.
  [[nodiscard]] std::string_view privacy() const;
};

struct EventView {
  std::uint64_t id = 0;  ///< grows
  LocalTime at{};
  std::uint32_t count = 1;  ///< repetitions, the first included
  cluster::Event event;
};

/// The newest finished file of a recorder.
struct RecordedFile {
  std::string node;
  std::string slot;  ///< "mix.record"
  std::string path;  ///< on that node's PC
};

/// What can be undone and what is on its way to the cluster.
struct EditView {
  std::string undo_title;  ///< empty: nothing to undo
  std::string redo_title;
  bool is_undo_structural = false;  ///< it would change what the show consists of: is_structural()
  bool is_redo_structural = false;
  bool is_writing = false;  ///< an edit has not reached the cluster yet
  bool is_own = false;      ///< the cluster's show was written here
  /// People's steps are numbered. The step that undo takes back; 0: none.
  std::uint64_t undo_step = 0;
  /// The newest step on its way, or else of the last write: an edit, an undo or a first show. 0:
  /// only faders' edits.
  std::uint64_t writing_step = 0;
  std::string writing_title;  ///< title of writing_step
};

/// A node's answer about its media folder.
struct MediaView {
  cluster::MediaList list;
  std::string error;  ///< why the node has not answered last; `list` is older then
};
using MediaLists = std::map<std::string, MediaView, std::less<>>;  ///< by node
/// Null: the node was not asked.
[[nodiscard]] inline const MediaView* find_media(const MediaLists& lists, std::string_view node) {
  const auto found = lists.find(node);
  return found == lists.end() ? nullptr : &found->second;
}

/// A moment of a node's file.
struct MediaPictureKey {
  static constexpr int kSteps = 32;
  static constexpr int kUsualStep = 4;  ///< of a list: films begin in black
  std::string node;
  std::string file;
  int step = 0;  ///< of kSteps equal parts of the file's length

  friend auto operator<=>(const MediaPictureKey&, const MediaPictureKey&) = default;
};
struct MediaPicture {
  std::shared_ptr<const cluster::Snapshot> picture;  ///< null: see `error`
  cluster::MediaFacts facts;
  std::string error;  ///< why there is no picture
};
using MediaPictures = std::map<MediaPictureKey, std::shared_ptr<const MediaPicture>>;

/// The newest picture of a slot as a filter would make it. The show need not contain the filter.
struct EffectPictureKey {
  std::string submix;
  std::string slot;
  std::string plugin;

  friend auto operator<=>(const EffectPictureKey&, const EffectPictureKey&) = default;
};
struct EffectPicture {
  std::shared_ptr<const cluster::Snapshot> picture;  ///< null: see `error`
  std::string error;                                 ///< why there is no picture
};
using EffectPictures = std::map<EffectPictureKey, std::shared_ptr<const EffectPicture>>;

/// A file on its way to a node.
struct MediaCopyView {
  std::string node;
  std::string file;
  std::uint64_t bytes = 0;      ///< that have come
  std::uint64_t bytes_all = 0;  ///< 0: not begun yet
};

struct Bottleneck;
struct VerdictSpan;
/// A file that a person exports.
struct ExportView {
  std::string path;  ///< empty: no export was asked for
  bool is_saving = false;
  std::string error;  ///< why the export failed
};

struct Alert;
struct OpenQuestion;
struct TraceView;
struct FigureKey;
struct FigureSeries;
/// The file of the show in this controller.
struct ShowFileView {
  std::string path;          ///< empty: none yet
  bool is_modified = false;  ///< the show differs from the file
  bool is_saving = false;
  std::string opening;             ///< the file that is being read; empty: none
  std::uint64_t ticket_ended = 0;  ///< the last save with a ticket that ended, successful or not
  std::string save_error;          ///< why that save failed; empty: it succeeded
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
  std::string error;                 ///< why the folder cannot be listed
};

struct ClusterView {
  LocalTime now{};
  ConnectionState connection = ConnectionState::connecting;
  LocalTime connection_since{};  ///< when `connection` changed last
  std::string connection_text;   ///< "nats://127.0.0.1:4222", or the error
  bool is_store_silent = false;  ///< NATS is reached, but its store does not answer
  /// The cluster's clock minus the local clock. Empty: not known.
  std::optional<std::chrono::nanoseconds> clock_offset = {};
  /// The desired show with the edits under way. Null: none.
  std::shared_ptr<const show::Show> show;
  /// The last show that ran everywhere without a fault. Null: none.
  std::shared_ptr<const show::Show> good_show;
  /// Shows that have kept their rate. Null: not recorded.
  std::shared_ptr<const std::vector<std::shared_ptr<const show::Show>>> proven_shows;
  std::uint64_t show_revision = 0;
  std::string show_author;
  std::string show_error;  ///< why the desired show cannot be read
  cluster::DesiredTransport transport;
  double master_fps = 0;               ///< of the slowest output
  std::vector<NodeView> nodes;         ///< in the show's order, then the others by name
  std::vector<SubmixView> submixes;    ///< in the show's order
  std::vector<StreamView> streams;     ///< in the show's order
  std::vector<EventView> events;       ///< newest last
  std::vector<RecordedFile> recorded;  ///< one of each recorder, the newest first
  std::uint64_t messages_dropped = 0;  ///< lost because this observer was too slow
  EditView edit;
  /// result of find_bottleneck(); null: not asked for
  std::shared_ptr<const Bottleneck> bottleneck;
  /// Of the last minutes. Null: not recorded.
  std::shared_ptr<const std::vector<VerdictSpan>> verdicts;
  /// Figures of the watched streams. Null: none is watched.
  std::shared_ptr<const std::map<FigureKey, FigureSeries>> figures;
  std::shared_ptr<const TraceView> trace;  ///< null: no trace was taken
  ExportView ledger_file;
  std::shared_ptr<const std::vector<Alert>> alerts;  ///< null: not recorded
  ShowFileView file;
  std::shared_ptr<const OpenQuestion> open_question;  ///< null: nothing is asked
  std::shared_ptr<const FolderView> folder;           ///< the last folder asked for; null: none
  bool is_read_only = false;                          ///< this controller changes nothing
  bool is_limited = false;                            ///< because its PC may not change the show
  /// Why this PC's version does not work together with the desk's; nothing can be changed. Empty: it
  /// does.
  std::string gap_to_desk;
  /// Plugins by id.
  std::shared_ptr<const std::map<std::string, cluster::PluginSummary, std::less<>>> plugins;
  /// The answer of each node that was asked, refused plugins included, by id. Never null after the
  /// first answer.
  std::shared_ptr<const std::map<std::string, std::vector<cluster::PluginSummary>, std::less<>>>
      plugin_lists;
  /// The clips and stills of each node that was asked. Null: none was.
  std::shared_ptr<const MediaLists> media;
  /// Of the files that people look at. Null: none came.
  std::shared_ptr<const MediaPictures> media_pictures;
  /// Of the effects that people look at. Null: none came.
  std::shared_ptr<const EffectPictures> effect_pictures;
  std::vector<MediaCopyView> media_copies;  ///< that this controller has asked for
  /// Why an asked node has not listed its plugins. Null: every node has.
  std::shared_ptr<const std::map<std::string, std::string, std::less<>>> plugin_errors;

  /// Whether the desired and the reported state are current: NATS is reached, and no node's health
  /// is unknown.
  [[nodiscard]] bool is_known_now() const;
  [[nodiscard]] const NodeView* find_node(std::string_view name) const;
  /// Null: there is no such node, or it is not healthy.
  [[nodiscard]] const NodeView* find_healthy_node(std::string_view name) const;
  /// Null: there is no such node, or it is not present.
  [[nodiscard]] const NodeView* find_present_node(std::string_view name) const;
  [[nodiscard]] const SubmixView* find_submix(std::string_view name) const;
  [[nodiscard]] const StreamView* find_stream(std::string_view name) const;
  /// The stream that feeds an input of the show. Null: none.
  [[nodiscard]] const StreamView* find_stream_to(const show::Port& input) const;
  [[nodiscard]] const cluster::PluginSummary* find_plugin(std::string_view id) const;
  /// Null: the node was not asked yet, or did not answer.
  [[nodiscard]] const std::vector<cluster::PluginSummary>* find_plugin_list(
      std::string_view node) const;
  /// The checkers' counters added up by name, e.g. {"lost", 0}. Empty without a checker.
  [[nodiscard]] std::map<std::string, std::uint64_t> checker_counters() const;
};

[[nodiscard]] std::string_view to_string(ConnectionState connection);
[[nodiscard]] std::string_view to_string(Health health);
[[nodiscard]] std::string_view to_string(SubmixState state);

}  // namespace submix::model
