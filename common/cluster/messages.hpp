// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/capture_device.hpp"
#include "common/base/display.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/base/sound.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The messages of the control plane, as plain structs. codec.hpp turns them into JSON. CONTROL.md
/// explains their buckets, keys and subjects.
namespace submix::cluster {

// Desired state: bucket "submix-desired".

/// Key "show": the whole show as one value, so that a change takes effect as a whole. The key's
/// revision protects against lost updates: a writer states the revision it has read, and a stale
/// one is refused.
struct DesiredShow {
  std::string toml;    ///< the show file's text
  std::string author;  ///< the writer, for people: "submix apply on rack2"
};

// Key "good-show": the newest show to run on all its nodes without a fault, as a DesiredShow.

/// Key "transport": what people do with the whole show at once. It is a state of the cluster, not of
/// a connection.
struct DesiredTransport {
  bool is_paused = false;
  std::uint64_t steps = 0;  ///< grows by one for each single step; counts only while paused
  std::string author;
  bool is_black = false;        ///< black-out: all windows of all nodes
  bool is_frozen = false;       ///< the windows hold their picture; the show runs on
  bool has_test_cards = false;  ///< each window shows its name and its display

  friend bool operator==(const DesiredTransport&, const DesiredTransport&) = default;
};

/// Key "desk": the PC whose NATS server the show uses. Its programs write it when the server starts.
struct Desk {
  std::string host;     ///< the machine's name; empty: nobody has said it
  std::string version;  ///< of Submix there

  friend bool operator==(const Desk&, const Desk&) = default;
};

/// Key "alerts-seen": the alerts seen by people, shared by windows and commands. Ended alerts
/// are removed.
struct AlertsSeen {
  static constexpr std::size_t kThingsMax = 256;
  std::vector<std::string> things;  ///< the subject of each alert: "node left", "link 1 of right"

  friend bool operator==(const AlertsSeen&, const AlertsSeen&) = default;
};

// Reported state: bucket "submix-reported", one key for each node.

/// Limit of cards in a message, and of endpoints in a report. A message with more is refused whole.
/// The sender limits itself when gathering them (agent::keep_most_used).
inline constexpr std::size_t kCardsMax = 256;

enum class SubmixState { starting, running, failed };

struct SubmixReport {
  std::string name;
  SubmixState state = SubmixState::starting;
  /// Why the submix failed, for people. For a running submix: the slots that differ from the show
  /// and their replacements, a line for each.
  std::string error = {};
  /// No frame has been made yet; false, too, from nodes without this field.
  bool awaits_first_frame = false;
  bool has_trouble = false;  ///< a plugin of the submix does not work; the node's readings say why

  friend bool operator==(const SubmixReport&, const SubmixReport&) = default;
};

struct NodeReport {
  std::string node;
  std::string host;      ///< the machine's name
  std::string version;   ///< of the software
  std::string instance;  ///< new at each start of the program
  int cores = 0;
  std::uint64_t show_revision = 0;  ///< the show this node has converged to (or failed at)
  std::vector<NetworkInterface> interfaces;
  std::vector<DataEndpoint> endpoints;
  LocalEndpoint local_endpoint;
  std::vector<SubmixReport> submixes;
  /// The greatest epoch begun by this node or met by its receivers. A new life of a
  /// sender begins with a greater one (agent::EpochClock). 0: none, or a node of an older version.
  std::uint64_t epoch = 0;
  /// Of the machine, in the order of their numbers. Empty: none, none known, or an older version.
  std::vector<Display> displays = {};
  /// Of the machine, at most kCaptureDevicesMax. Empty: none, or an older version.
  std::vector<CaptureDevice> capture_devices = {};
  /// The same for inputs of sound.
  std::vector<CaptureDevice> sound_devices = {};
  /// The same for the loopback devices that `camera-out` can write.
  std::vector<CaptureDevice> loopback_devices = {};
  std::string identity = {};  ///< its PC's public key, as text; empty: none, or an older version

  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// Telemetry: subject "submix.telemetry.<node>", ten a second: telemetry::NodeReading.

// Sound: subject "submix.sound.<node>", about 94 a second from the node that listens for the show.

struct HeardSound {
  std::string node;
  Sound sound;

  friend bool operator==(const HeardSound&, const HeardSound&) = default;
};

// Events: subject "submix.event.<node>".

struct Event {
  std::string node;
  Severity severity = Severity::note;
  std::string about;  ///< the thing concerned: "left.clip", "stream left", "link 2 of left"
  std::string text;   ///< the incident and the system's reaction
};

// Commands: request on "submix.command.<kind>.<node>", one reply.

enum class CommandKind {
  snapshot,
  plugins,
  trace,
  check,
  media,
  media_picture,
  media_part,
  media_copy,
  effect_picture,
};

struct Command {
  CommandKind kind = CommandKind::snapshot;
  std::string submix;      ///< snapshot, effect_picture: the submix
  std::string slot;        ///< snapshot, effect_picture: empty means the last slot
  int width_max = 0;       ///< snapshot: shrink to this width in pixels; 0: full size
  std::string token = {};  ///< trace, snapshot: identifies it in requests for its other parts
  /// Trace, snapshot: the part asked for; part 0 starts a new trace or picture.
  std::uint32_t part = 0;
  std::uint32_t seconds = 0;  ///< trace: how far back
  std::string show = {};      ///< check: the text of the show to be written
  bool is_whole = false;      ///< check: also parts already running, unchanged
  bool is_preview = false;    ///< snapshot: JPEG will do, which has a tenth of the bytes
  std::string file = {};      ///< media_picture, media_part, media_copy: as in MediaFile::name
  double at = 0;              ///< media_picture: the moment, as a part of the file's length, 0 to 1
  std::uint64_t offset = 0;   ///< media_part: in bytes
  std::string from = {};      ///< media_copy: the node, or the program, that gives the file's parts
  bool is_stop = false;       ///< media_copy: ends the copy; what has come is kept for the next one
  std::string plugin = {};    ///< effect_picture: the filter, which the show need not have
};

/// A part of a show the node cannot run, in reply to a check.
struct SubmixFault {
  std::string submix;  ///< empty: the node's share as a whole
  std::string slot;    ///< empty: the submix as a whole
  std::string reason;  ///< for people

  friend bool operator==(const SubmixFault&, const SubmixFault&) = default;
};
/// Only this many faults are sent: nobody reads more.
inline constexpr std::size_t kSubmixFaultsMax = 100;

/// A clip or still below a node's media folder.
struct MediaFile {
  std::string name;  ///< as a show names it, relative to the folder: "rain/drops.mp4"
  std::uint64_t bytes = 0;
  std::uint32_t pictures = 0;  ///< of a series of numbered pictures, which play; 0: a file

  friend bool operator==(const MediaFile&, const MediaFile&) = default;
};
struct MediaList {
  static constexpr std::size_t kFilesMax = 1000;
  std::vector<MediaFile> files;     ///< by name
  bool is_cut = false;              ///< there are more than kFilesMax
  std::vector<std::string> luts{};  ///< .cube files, by name; at most kFilesMax

  friend bool operator==(const MediaList&, const MediaList&) = default;
};

/// What a clip or a still is, in reply to its picture.
struct MediaFacts {
  Size size;           ///< its own
  double seconds = 0;  ///< 0: a still, or a clip whose header does not state its length
  double rate = 0;     ///< pictures a second; 0: a still
  std::string codec;   ///< FFmpeg's name: "h264"
  /// Time on cores that decoding one of its pictures takes on this node; 0: a still, or not
  /// measured.
  double decoding_ms = 0;

  friend bool operator==(const MediaFacts&, const MediaFacts&) = default;
};
/// A picture of a file, so that people can choose by eye.
struct MediaPicture {
  static constexpr int kWidth = 320;  ///< 16:9, with bars where the file has another shape
  static constexpr int kHeight = 180;
  std::string jpeg;
  MediaFacts facts;
};

/// Small enough for NATS, and for the messages of the show between two of them.
inline constexpr std::size_t kMediaPartBytes = std::size_t{512} << 10;

/// A part of a file that is being copied to another computer.
struct MediaPart {
  std::uint64_t bytes_all = 0;  ///< of the file
  std::int64_t changed_ns = 0;  ///< another value: the file was changed meanwhile
  std::string bytes{};          ///< kMediaPartBytes, or up to the file's end
  std::string digest{};         ///< of these bytes: see digest_of()
};

/// How far a copy to a node has come.
struct MediaCopy {
  std::uint64_t bytes = 0;      ///< that have come
  std::uint64_t bytes_all = 0;  ///< 0: not known yet
  bool is_over = false;
  std::string error{};  ///< why it ended without the file; empty otherwise

  friend bool operator==(const MediaCopy&, const MediaCopy&) = default;
};

/// A reply with a trace or a large picture does not fit in one message; pieces have this
/// size.
inline constexpr std::size_t kTracePartBytes = std::size_t{512} << 10;
inline constexpr std::uint32_t kTracePartsMax = 256;

struct TracePart {
  std::uint32_t parts = 0;  ///< number of parts
  std::string text;
};

/// The width of the picture in reply to an effect_picture.
inline constexpr int kEffectPictureWidth = 320;

/// A picture in reply to a snapshot or an effect_picture.
struct Snapshot {
  Size size;
  std::uint64_t frame = 0;
  std::string rgb24;   ///< rows without padding; empty: see jpeg
  std::string jpeg{};  ///< a preview
};

struct ParameterSummary {
  std::string name;
  std::string type;  ///< switch, number, colour, position, text
  std::string explanation;
  show::ParameterValue initial = 0.0;
  double minimum = 0.0;
  double maximum = 1.0;
  std::vector<std::string> choices{};  ///< text: the allowed values; empty: any
  bool is_integer = false;             ///< number: whole numbers only
};

struct PluginSummary {
  std::string id;
  std::string kind{};  ///< source, filter, mixer2, mixer3, output
  std::string explanation{};
  std::string author{};
  std::vector<ParameterSummary> parameters{};
  /// Not empty: installed but unusable; other fields may be missing.
  std::string refused_because{};
  /// What the plugin keeps between frames: none, frames, unknown; helpers need none.
  std::string memory{};
};

}  // namespace submix::cluster
