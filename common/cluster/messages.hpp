// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/network.hpp"
#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What travels over the control plane, as plain structs with JSON at the edges.
namespace submix::cluster {

// ---- desired: bucket "submix-desired" ------------------------------------------------------------------

/// Key "show": the whole show as one value, so that a change is all or nothing. The key's revision is the
/// fence: a writer states the revision it read, and a stale one is refused.
struct DesiredShow {
  std::string toml;    ///< the show file's text
  std::string author;  ///< who wrote it, for people: "submix apply on rack2"
};

// Key "good-show": the newest show that ran on all its nodes without a fault, as a DesiredShow.

/// Key "transport": pause is a state of the cluster, not of a connection.
struct DesiredTransport {
  bool is_paused = false;
  std::uint64_t steps = 0;  ///< grows by one for each single step; only changes while paused count
  std::string author;

  friend bool operator==(const DesiredTransport&, const DesiredTransport&) = default;
};

/// Key "alerts-seen": the alerts that people have seen, so that windows and commands agree. What is over
/// goes.
struct AlertsSeen {
  static constexpr std::size_t kThingsMax = 256;
  std::vector<std::string> things;  ///< what each is about: "node left", "link 1 of right"

  friend bool operator==(const AlertsSeen&, const AlertsSeen&) = default;
};

// ---- reported: bucket "submix-reported", one key for each node -----------------------------------------

/// Cards in a message, and endpoints in a report; one with more is refused whole. They are only so many where
/// they are gathered (agent::keep_most_used).
inline constexpr std::size_t kCardsMax = 256;

enum class SubmixState { starting, running, failed };

struct SubmixReport {
  std::string name;
  SubmixState state = SubmixState::starting;
  /// Why it failed, for people. Of one that is running: what is not as the show says, and what stands in for
  /// that; one slot a line.
  std::string error = {};
  bool awaits_first_frame =
      false;                 ///< it has made no frame yet; false too of a node that does not tell
  bool has_trouble = false;  ///< a plugin of it does not work; the node's readings say why

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
  /// The greatest that it has given to a life, or that its receivers have met: who begins a life begins with
  /// a greater one (agent::EpochClock). 0: none, or a node from before that was told.
  std::uint64_t epoch = 0;

  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// ---- telemetry: subject "submix.telemetry.<node>", ten a second: telemetry::NodeReading ----------------

// ---- events: subject "submix.event.<node>" -------------------------------------------------------------

struct Event {
  std::string node;
  Severity severity = Severity::note;
  std::string about;  ///< the thing: "left.clip", "stream left", "link 2 of left"
  std::string text;   ///< what happened and what the system did about it
};

// ---- commands: request on "submix.command.<kind>.<node>", one reply ------------------------------------

enum class CommandKind { snapshot, plugins, trace, check };

struct Command {
  CommandKind kind = CommandKind::snapshot;
  std::string submix;         ///< snapshot: which
  std::string slot;           ///< snapshot: empty means the last slot
  int width_max = 0;          ///< snapshot: shrink to this many pixels wide; 0: full size
  std::string token = {};     ///< trace, snapshot: names it, for its other parts
  std::uint32_t part = 0;     ///< of those: which; to ask for part 0 makes it
  std::uint32_t seconds = 0;  ///< trace: how far back
  std::string show = {};      ///< check: the text of the show that is to be written
  bool is_whole = false;      ///< check: also what runs already, unchanged
};

/// What a node could not run of a show, in reply to a check.
struct SubmixFault {
  std::string submix;  ///< empty: the node's share as a whole
  std::string slot;    ///< empty: the submix as a whole
  std::string reason;  ///< for people

  friend bool operator==(const SubmixFault&, const SubmixFault&) = default;
};
/// The first ones; of more nobody reads.
inline constexpr std::size_t kSubmixFaultsMax = 100;

/// A trace or a large picture's reply is more than one message; it comes in pieces of this size.
inline constexpr std::size_t kTracePartBytes = std::size_t{512} << 10;
inline constexpr std::uint32_t kTracePartsMax = 256;

struct TracePart {
  std::uint32_t parts = 0;  ///< that there are
  std::string text;
};

/// A picture in reply to a snapshot: RGB24, rows without padding.
struct Snapshot {
  Size size;
  std::uint64_t frame = 0;
  std::string rgb24;
};

struct ParameterSummary {
  std::string name;
  std::string type;  ///< switch, number, colour, position, text
  std::string explanation;
  show::ParameterValue initial = 0.0;
  double minimum = 0.0;
  double maximum = 1.0;
  std::vector<std::string> choices{};  ///< of a text: the only ones allowed; empty: any
  bool is_integer = false;             ///< of a number: whole ones only
};

struct PluginSummary {
  std::string id;
  std::string kind{};  ///< source, filter, mixer2, mixer3, output
  std::string explanation{};
  std::string author{};
  std::vector<ParameterSummary> parameters{};
  std::string
      refused_because{};  ///< not empty: it is there, but cannot be used, and the rest may be missing
  std::string
      memory{};  ///< what it keeps from frame to frame: none, frames, unknown; helpers: if none
};

}  // namespace submix::cluster
