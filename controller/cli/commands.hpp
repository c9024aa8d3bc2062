// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/key_question.hpp"
#include "controller/cli/context.hpp"
#include "controller/input/input_options.hpp"
#include "controller/local/start_nats.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The commands of `submix`, each with its own options. Each returns an exit status and writes
/// errors to `Context::err`.
namespace submix::cli {

struct ValidateOptions {
  std::vector<std::string> files;
  /// fails where no node can be asked for plugins, files, sizes and memory
  bool asks_nodes = false;
};
int run_validate(Context& context, const ValidateOptions& options);

struct ApplyOptions {
  std::string file;
  std::optional<std::uint64_t> revision;  ///< writes only if the cluster's show has this revision
  bool is_forced = false;                 ///< replaces whatever others wrote meanwhile
  bool is_relinking = false;              ///< looks for missing files by their names first
  bool is_waiting = true;                 ///< until the nodes run the show
  std::chrono::seconds patience{30};
};
int run_apply(Context& context, const ApplyOptions& options);

struct StatusOptions {
  bool has_detail = false;  ///< also the holders of each pool's seats
};
int run_status(Context& context, const StatusOptions& options);

struct WatchOptions {
  std::optional<int> seconds;  ///< empty: until Ctrl-C
};
int run_watch(Context& context, const WatchOptions& options);

struct BottleneckOptions {};
int run_bottleneck(Context& context, const BottleneckOptions& options);

struct TraceOptions {
  std::string file = "trace.json";
  std::uint32_t seconds = 5;  ///< period before now
};
int run_trace(Context& context, const TraceOptions& options);

struct LedgerOptions {
  bool is_csv = false;
  std::string csv_file;  ///< empty: standard output
};
int run_ledger(Context& context, const LedgerOptions& options);

struct AlertsOptions {
  std::string seen;  ///< The alert to mark as seen, by its thing; "all"; empty: none.
};
int run_alerts(Context& context, const AlertsOptions& options);

struct AssignOptions {
  std::string submix;
  std::string node;  ///< empty: no node
};
int run_assign(Context& context, const AssignOptions& options);

/// Omitted values stay unchanged.
struct OscillatorOptions {
  std::string oscillate;  ///< a waveform, "on", "off" or "none"
  std::optional<double> frequency;
  std::string beats;  ///< "4", "1/4"
  std::optional<double> from;
  std::optional<double> to;
  std::optional<double> phase;
  std::optional<double> width;

  [[nodiscard]] bool is_stated() const {
    return !oscillate.empty() || frequency || !beats.empty() || from || to || phase || width;
  }
};
struct SetOptions {
  std::string target;                ///< submix.slot.parameter
  std::optional<std::string> value;  ///< empty: the plugin's own
  OscillatorOptions oscillator;
};
int run_set(Context& context, const SetOptions& options);
int run_oscillate(Context& context, const SetOptions& options);

struct TempoOptions {
  std::optional<double> value;  ///< empty: print the present value
};
int run_tempo(Context& context, const TempoOptions& options);
int run_speed(Context& context, const TempoOptions& options);

struct SyncOptions {
  std::string when;  ///< "now"
};
int run_sync(Context& context, const SyncOptions& options);

struct BypassOptions {
  std::string slot;  ///< submix.slot
  bool is_bypassed = true;
};
int run_bypass(Context& context, const BypassOptions& options);

struct HelpersOptions {
  std::string slot;  ///< submix.slot
  int helpers = 1;
};
int run_helpers(Context& context, const HelpersOptions& options);

struct LinksOptions {
  std::string stream;
  std::vector<std::string> links;  ///< a count, or FROM=TO for each link
};
int run_links(Context& context, const LinksOptions& options);

struct PolicyOptions {
  std::string stream;
  std::string policy;
  std::optional<std::int64_t> pause_budget_ms;  ///< empty: unchanged
};
int run_policy(Context& context, const PolicyOptions& options);

struct WithoutOptions {
  std::string submix;
};
int run_without(Context& context, const WithoutOptions& options);
int run_with(Context& context, const WithoutOptions& options);

/// Commands for a show's structure. Each takes the named words in this order.
struct SlotOptions {
  std::string slot;       ///< submix.slot; insert also takes a submix
  std::string word;       ///< plugin, name, slot above or input
  std::string name;       ///< insert: the new slot's name; empty: made from the plugin's
  std::size_t input = 1;  ///< connect and disconnect: number from 1
};
int run_slot_insert(Context& context, const SlotOptions& options);
int run_slot_duplicate(Context& context, const SlotOptions& options);
int run_slot_delete(Context& context, const SlotOptions& options);
int run_slot_move(Context& context, const SlotOptions& options);
int run_slot_connect(Context& context, const SlotOptions& options);
int run_slot_disconnect(Context& context, const SlotOptions& options);
int run_slot_rename(Context& context, const SlotOptions& options);
int run_slot_replace(Context& context, const SlotOptions& options);
int run_slot_solo(Context& context, const SlotOptions& options);

struct LayerOptions {
  std::string layer;  ///< empty: a free name
  std::string mix;    ///< the submix that mixes; empty: the only one
  std::string node;   ///< empty: the one with the fewest submixes
  std::string plugin = "pattern";
  std::string clip;  ///< a file; instead of `plugin`
  double level = 0.5;
  std::string place;  ///< a layer whose place this one takes
};
int run_layer_add(Context& context, const LayerOptions& options);
int run_layer_duplicate(Context& context, const LayerOptions& options);
int run_layer_move(Context& context, const LayerOptions& options);
int run_layer_delete(Context& context, const LayerOptions& options);

/// Pictures of the show on standard output.
struct PipeOutOptions {
  std::string place;  ///< submix or submix.slot
  std::string format = "matroska";
  bool is_lossless = false;
};
int run_pipe_out(Context& context, const PipeOutOptions& options);

/// Pictures of standard input as a layer.
struct PipeInOptions {
  std::string name;
  std::string format = "by-itself";
  std::string size;  ///< of raw pictures: WIDTHxHEIGHT
  std::string rate;  ///< empty: the show's
  std::string mix;   ///< empty: the only one
  double level = 0.5;
  bool is_lossless = false;
};
int run_pipe_in(Context& context, const PipeInOptions& options);

struct PipeRemoveOptions {
  std::string name;  ///< of its node or its layer
};
int run_pipe_remove(Context& context, const PipeRemoveOptions& options);

struct SubmixOptions {
  std::string submix;
  std::string name;  ///< the new name
  std::string node;
  std::string plugin = "pattern";
  int frames = 0;  ///< in flight
};
int run_submix_add(Context& context, const SubmixOptions& options);
int run_submix_delete(Context& context, const SubmixOptions& options);
int run_submix_rename(Context& context, const SubmixOptions& options);
int run_submix_frames(Context& context, const SubmixOptions& options);

struct StreamOptions {
  std::string stream;
  std::string from;  ///< submix.slot, or submix
  std::string to;
  std::string word;    ///< the new name, the pixels or the checksum
  bool is_on = false;  ///< encrypt and local
  bool replaces_others = false;
};
int run_stream_add(Context& context, const StreamOptions& options);
int run_stream_delete(Context& context, const StreamOptions& options);
int run_stream_rename(Context& context, const StreamOptions& options);
int run_stream_pixels(Context& context, const StreamOptions& options);
int run_stream_checksum(Context& context, const StreamOptions& options);
int run_stream_encrypt(Context& context, const StreamOptions& options);
int run_stream_local(Context& context, const StreamOptions& options);

struct NodeOptions {
  std::string node;
  std::string name;  ///< a new name
  std::string description;
};
int run_node_add(Context& context, const NodeOptions& options);
int run_node_rename(Context& context, const NodeOptions& options);
int run_node_delete(Context& context, const NodeOptions& options);
int run_node_forget(Context& context, const NodeOptions& options);

struct ShowOptions {
  std::string word;  ///< name, WIDTHxHEIGHT, rate or submix
};
int run_show_name(Context& context, const ShowOptions& options);
int run_show_size(Context& context, const ShowOptions& options);
int run_show_rate(Context& context, const ShowOptions& options);
int run_show_delay(Context& context, const ShowOptions& options);
int run_show_chain(Context& context, const ShowOptions& options);

struct ShowNewOptions {
  std::string name;
  std::vector<std::string> nodes;
  std::string size = "1280x720";
  std::string rate = "30";
  bool has_window = true;
  bool is_waiting = true;  ///< until the nodes run the show
};
int run_show_new(Context& context, const ShowNewOptions& options);

struct ShowSaveOptions {
  std::string file;        ///< "-": standard output
  bool is_forced = false;  ///< overwrites an existing file
};
int run_show_save(Context& context, const ShowSaveOptions& options);

struct ShowKeepOptions {};
int run_show_keep(Context& context, const ShowKeepOptions& options);
int run_show_copies(Context& context, const ShowKeepOptions& options);
int run_show_back(Context& context, const ShowKeepOptions& options);

struct UndoOptions {
  bool is_list = false;
};
int run_undo(Context& context, const UndoOptions& options);
int run_redo(Context& context, const UndoOptions& options);

struct PlanOptions {
  std::string file;                      ///< empty: the cluster's show
  std::vector<std::string> assignments;  ///< SUBMIX=NODE
  std::string size;                      ///< WIDTHxHEIGHT; empty: the show's
  std::string rate;                      ///< empty: the show's
};
int run_plan(Context& context, const PlanOptions& options);

struct PauseOptions {};
int run_pause(Context& context, const PauseOptions& options);
int run_resume(Context& context, const PauseOptions& options);

struct OutputOptions {
  bool is_on = true;
};
int run_blackout(Context& context, const OutputOptions& options);
int run_freeze(Context& context, const OutputOptions& options);
int run_identify(Context& context, const OutputOptions& options);

struct StepOptions {
  std::optional<std::uint64_t> frames;  ///< empty: one; with `fps` until Ctrl-C
  std::optional<double> fps;            ///< empty: all at once
};
int run_step(Context& context, const StepOptions& options);

struct SnapshotOptions {
  std::string target;  ///< submix or submix.slot
  std::string file;    ///< empty: `target`.png, in the current folder
  int width_max = 0;   ///< pixels; 0: full size
};
int run_snapshot(Context& context, const SnapshotOptions& options);

struct PluginsOptions {
  std::string id;    ///< empty: all plugins
  std::string node;  ///< empty: any present node
};
int run_plugins(Context& context, const PluginsOptions& options);

struct MediaOptions {
  std::string node;  ///< empty: all present nodes
  bool has_details = false;
};
int run_media_list(Context& context, const MediaOptions& options);

struct MediaCopyOptions {
  std::string from;  ///< a file of this computer, or "node:file"
  std::string node;
  std::string name;  ///< there; empty: as it is called here
};
int run_media_copy(Context& context, const MediaCopyOptions& options);

struct RelinkOptions {
  bool is_dry = false;  ///< only says what would be done
};
int run_media_relink(Context& context, const RelinkOptions& options);

struct SoundListOptions {};
int run_sound_list(Context& context, const SoundListOptions& options);

struct SoundFromOptions {
  std::string node;
  std::string input;  ///< empty: the node's default
};
int run_sound_from(Context& context, const SoundFromOptions& options);

struct SoundOffOptions {};
int run_sound_off(Context& context, const SoundOffOptions& options);

struct OutputsOptions {
  std::string node;  ///< empty: all
};
int run_outputs(Context& context, const OutputsOptions& options);

struct ControlOptions {
  input::CommandLine input;
};
int run_control(Context& context, const ControlOptions& options);

struct SimulateOptions {
  /// Empty: the nodes of the cluster's show, or 64 without a show.
  std::optional<std::size_t> nodes;
  std::optional<std::size_t> streams;  ///< empty: about four for each node
  int rate = 10;                       ///< readings per second
  std::optional<int> seconds;          ///< empty: until Ctrl-C
  std::uint64_t seed = 1;
  bool is_replacing = false;  ///< replaces the cluster's show, if any
  bool is_calm = false;       ///< without faults
};
int run_simulate(Context& context, const SimulateOptions& options);

struct ShadersOptions {
  std::string folder;
};
/// Tries every shader of a folder on this machine. 1: one of them fails or draws nothing.
int run_shaders(Context& context, const ShadersOptions& options);

struct DoctorOptions {
  std::string recordings;   ///< folder; empty: the current one
  bool is_mending = false;  ///< mends first what needs no decision
};
/// Says what this PC lacks for a show, with the remedies. 1: a show would suffer.
int run_doctor(Context& context, const DoctorOptions& options);

struct MetricsOptions {
  std::string listen = "9464";  ///< [ADDRESS:]PORT
};
/// Offers the metrics of all nodes to Prometheus, until Ctrl-C.
int run_metrics(Context& context, const MetricsOptions& options);

struct KeyOptions {
  std::string file;
};
int run_key_new(Context& context, const KeyOptions& options);
int run_key_show(Context& context, const KeyOptions& options);

struct NatsOptions {
  std::vector<std::string> listen;  ///< empty: all cards with a key, else loopback
  std::uint16_t port = local::kDefaultNatsPort;
  std::string folder;  ///< empty: in the user's state folder
};
int run_nats(Context& context, const NatsOptions& options);

struct DeskOptions {
  NatsOptions nats;
  std::optional<std::uint16_t> pairing_port{};  ///< empty: as before, at first 4223
  bool hides_show = false;  ///< the network is not told the show's name and state
};
int run_desk(Context& context, const DeskOptions& options);

/// Lists the PCs that have joined this desk by code.
struct PeersOptions {};
int run_peers(Context& context, const PeersOptions& options);

struct PeersRemoveOptions {
  std::string name;           ///< of the PC, as `submix peers` lists it
  bool is_agreed_to = false;  ///< --yes: cuts others off, too, without asking
};
/// Shuts one PC out: the others get a new key while the show runs.
int run_peers_remove(Context& context, const PeersRemoveOptions& options);

struct PeersAllowOptions {
  std::string name;           ///< of the PC, as `submix peers` lists it
  std::string rights;         ///< by its name, as cluster::parse_rights() reads it
  bool is_agreed_to = false;  ///< --yes: cuts others off, too, without asking
};
/// Says what one PC may do, from now on.
int run_peers_allow(Context& context, const PeersAllowOptions& options);

struct JoinOptions {
  std::string desk;         ///< "ADDRESS" or "ADDRESS:PORT"; empty: the only one nearby
  bool is_system = false;   ///< for the services of this PC
  bool is_waiting = false;  ///< shows a code of this PC's own, in place of asking for the desk's
};
int run_join(Context& context, const JoinOptions& options);

struct InviteOptions {
  std::string pc;  ///< "ADDRESS", "ADDRESS:PORT" or a name nearby; empty: the only PC nearby
};
/// Fetches a PC without a show into this desk's show, by the code that the PC shows.
int run_invite(Context& context, const InviteOptions& options);

struct LeaveOptions {
  bool is_system = false;
};
int run_leave(Context& context, const LeaveOptions& options);

}  // namespace submix::cli
