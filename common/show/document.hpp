// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/units.hpp"
#include "common/show/oscillator.hpp"
#include "common/show/parameters.hpp"
#include "common/show/performing.hpp"
#include "common/show/tempo.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The show: what shall run where. Plain values, no thread, no file, no network.
namespace submix::show {

/// Slot plugins that are a submix's named inputs and outputs: the slot's name is the name of the port.
inline constexpr std::string_view kStreamInPlugin = "stream-in";
inline constexpr std::string_view kStreamOutPlugin = "stream-out";
/// What the ids of third-party plugins begin with.
inline constexpr std::string_view kFrei0rPrefix = "frei0r/";

/// What the plugin of a slot begins with that stands for a whole submix: "submix/look" (macros.hpp).
inline constexpr std::string_view kMacroPrefix = "submix/";

/// Where a third-party plugin runs: in a process of its own, or in the node's, which it can then end.
enum class Hosting { own_process, in_process };

/// One plugin in a patch. `inputs` names other slots of the patch, each with a delay where it is to be,
/// "echo@1"; where the show leaves them out, resolve_inputs() (plugin_form.hpp) takes the slot above for a
/// plugin that has one input.
struct Slot {
  std::string name;
  std::string plugin;  ///< id: "clip", "frei0r/glow"
  Parameters parameters;
  std::optional<std::vector<std::string>> inputs;  ///< empty: the default, the slot above
  bool is_bypassed = false;                        ///< passes its first input on
  Hosting hosting = Hosting::own_process;  ///< of third-party plugins; built-ins run in the node
  int helpers = 1;                         ///< instances that share the frames, 1 to 8
  bool is_stateless = false;  ///< the show's word that the plugin keeps nothing of former frames
  std::optional<std::string> above = {};  ///< set by expand() only: who stands above; "": nobody
  Oscillators oscillators =
      {};            ///< of its numbers; they hold, where on, in place of what is stated
  Fades fades = {};  ///< of its numbers, on their way to what is stated

  friend bool operator==(const Slot&, const Slot&) = default;
};

/// An input as it is named: a slot, and how many frames later than its own number each of its frames is read.
struct Input {
  std::string slot;
  std::size_t delay = 0;

  friend bool operator==(const Input&, const Input&) = default;
};

/// One patch and the node that shall run it; an empty node means "not assigned".
struct Submix {
  std::string name;
  std::string node;
  std::vector<Slot> slots;
  int frames_in_flight =
      0;  ///< at most, from its sources to its ends; 0: as many as its longest way needs

  friend bool operator==(const Submix&, const Submix&) = default;
};

/// What a stream does when one of its ends is late: the input, when no frame comes; the output, when its
/// receiver takes none while others would.
enum class InputPolicy {
  wait,     ///< the input waits for as long as it takes; the output too, up to the pause budget
  hold,     ///< the input repeats the last frame past the pause budget; the output as with wait
  black,    ///< the input goes black past the pause budget; the output as with wait
  latest,   ///< the output never waits: newer frames take the place of unsent ones; the input waits
  standby,  ///< the input shows a stand-by picture past the pause budget; the output as with wait
};

/// Frames from one submix's output to one submix's input.
struct Stream {
  std::string name;
  Port from;  ///< a stream-out slot
  Port to;    ///< a stream-in slot
  InputPolicy policy = InputPolicy::wait;
  std::chrono::milliseconds pause_budget{500};  ///< how long it may hold others up: see InputPolicy
  std::string
      standby;  ///< an image below the receiving node's media folder; empty: the built-in picture
  int link_count = 2;                ///< 1 to 8; where routes are given, as many as those
  std::vector<LinkRoute> routes;     ///< empty: cards are paired by subnet, then in order
  std::string congestion = "cubic";  ///< its links' TCP congestion control, as the kernel names it
  Checksum checksum = Checksum::none;  ///< by shared memory there is none
  bool is_local_allowed = true;        ///< by shared memory where both nodes are on one machine

  friend bool operator==(const Stream&, const Stream&) = default;
};

/// A machine of the show. Nodes not named here may join all the same.
struct Node {
  std::string name;
  std::string description;

  friend bool operator==(const Node&, const Node&) = default;
};

/// The document. A value: copy it, edit the copy, apply it as a whole.
struct Show {
  std::string name;
  Size size{1280, 720};
  FrameRate rate{30, 1};
  Tempo tempo = {};  ///< of all oscillators
  std::string
      output_chain;  ///< the submix that every window and recording shows its picture through; or ""
  std::vector<Node> nodes;
  std::vector<Submix> submixes;
  std::vector<Stream> streams;
  std::vector<Knob> knobs;
  std::vector<Preset> presets;
  std::vector<Cue> cues;
  std::string next_cue;  ///< empty: the first

  friend bool operator==(const Show&, const Show&) = default;
  // Null where there is none; an empty name finds nothing.
  [[nodiscard]] const Submix* find_submix(std::string_view submix_name) const;
  [[nodiscard]] Submix* find_submix(std::string_view submix_name);
  [[nodiscard]] const Stream* find_stream(std::string_view stream_name) const;
  [[nodiscard]] Stream* find_stream(std::string_view stream_name);
  [[nodiscard]] const Slot* find_slot(const Port& port) const;
  [[nodiscard]] Slot* find_slot(const Port& port);
};

}  // namespace submix::show
