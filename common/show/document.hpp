// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"
#include "common/base/units.hpp"
#include "common/show/oscillator.hpp"
#include "common/show/parameters.hpp"
#include "common/show/performing.hpp"
#include "common/show/plugin_family.hpp"
#include "common/show/sound.hpp"
#include "common/show/tempo.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The show: which plugins run on which machine. Plain values without threads, files or network.
namespace submix::show {

/// Plugins of the slots that are a submix's inputs and outputs. The slot's name is the port's name.
inline constexpr std::string_view kStreamInPlugin = "stream-in";
inline constexpr std::string_view kStreamOutPlugin = "stream-out";
/// The plugin of a slot that stands for a whole submix begins with this prefix: "submix/look" (see
/// macros.hpp).
inline constexpr std::string_view kMacroPrefix = "submix/";

/// Where a third-party plugin runs. In the node's process, a faulty plugin can end the node.
enum class Hosting { own_process, in_process };

/// One plugin in a patch.
///
/// `inputs` names other slots of the patch. "echo@1" reads slot "echo" with a delay of one frame.
/// If the show states no inputs, resolve_inputs() (plugin_form.hpp) chooses the slot above for a
/// plugin with one input.
struct Slot {
  std::string name;
  std::string plugin;  ///< id: "clip", "frei0r/glow"
  Parameters parameters;
  std::optional<std::vector<std::string>> inputs;  ///< empty: the default, the slot above
  bool is_bypassed = false;                        ///< the slot passes its first input on
  /// Only for third-party plugins; built-in plugins run in the node.
  Hosting hosting = Hosting::own_process;
  int helpers = 1;                        ///< instances sharing the frames, 1 to 8
  bool is_stateless = false;              ///< declared: the plugin keeps nothing of earlier frames
  std::optional<std::string> above = {};  ///< set only by expand(): the slot above; "": no slot
  /// By parameter; an oscillator that is on replaces the stated value.
  Oscillators oscillators = {};
  Fades fades = {};  ///< by parameter; each leads to the stated value

  friend bool operator==(const Slot&, const Slot&) = default;
};

/// An input as a show states it: a slot, and by how many frames the input is delayed.
struct Input {
  std::string slot;
  std::size_t delay = 0;

  friend bool operator==(const Input&, const Input&) = default;
};

/// One patch and its node. An empty node means "not assigned".
struct Submix {
  std::string name;
  std::string node;
  std::vector<Slot> slots;
  /// Limit between the sources and the ends of the patch; 0: as many as its longest path needs.
  int frames_in_flight = 0;

  friend bool operator==(const Submix&, const Submix&) = default;
};

/// What a stream does when one of its ends is late: when no frame arrives at the input, or when
/// only this receiver of the output takes no frames.
enum class InputPolicy {
  wait,     ///< the input waits without limit; the output waits up to the pause budget
  hold,     ///< past the pause budget the input repeats the last frame; output as with wait
  black,    ///< past the pause budget the input is black; output as with wait
  latest,   ///< the output never waits: newer frames replace unsent frames; the input waits
  standby,  ///< past the pause budget the input shows a stand-by picture; output as with wait
};

/// A stream carries frames from an output of one submix to an input of another.
struct Stream {
  std::string name;
  Port from;  ///< a stream-out slot
  Port to;    ///< a stream-in slot
  InputPolicy policy = InputPolicy::wait;
  /// How long the stream may hold up others: see InputPolicy.
  std::chrono::milliseconds pause_budget{500};
  /// An image below the receiving node's media folder; empty: the built-in picture.
  std::string standby;
  int link_count = 2;             ///< 1 to 8; if routes are given, their number
  std::vector<LinkRoute> routes;  ///< empty: network cards are paired by subnet, then in order
  /// TCP congestion control of the links, as the kernel names it
  std::string congestion = "cubic";
  PixelFormat pixels = PixelFormat::rgb24;  ///< rgb24: without alpha; rgba: a third more bytes
  Checksum checksum = Checksum::none;       ///< shared memory needs no checksum
  bool is_encrypted = true;      ///< but for shared memory; then `checksum` has no effect
  bool is_local_allowed = true;  ///< shared memory may be used if both nodes are on one machine

  friend bool operator==(const Stream&, const Stream&) = default;
};

/// A machine of the show. Nodes outside the show may join, too.
struct Node {
  std::string name;
  std::string description;

  friend bool operator==(const Node&, const Node&) = default;
};

/// The document. A value: copy it, edit the copy, apply the copy as a whole.
struct Show {
  std::string name;
  Size size{1280, 720};
  FrameRate rate{30, 1};
  /// Least time, in frames, from a performer's start of a frame to its showing, where streams lead
  /// from one to the other; 0: as short as the show can be shown. More lets a show bridge hiccups.
  int delay_frames = 0;
  Tempo tempo = {};  ///< the tempo of all oscillators
  SoundInput sound = {};
  /// The submix through which every window and recording gets its picture; or "".
  std::string output_chain;
  std::vector<Node> nodes;
  std::vector<Submix> submixes;
  std::vector<Stream> streams;
  std::vector<Knob> knobs;
  std::vector<Preset> presets;
  std::vector<Cue> cues;
  std::string next_cue;  ///< empty: the first cue
  /// The show's time at which the next cue goes by itself. Empty: it waits for a person.
  std::optional<std::chrono::milliseconds> following{};

  friend bool operator==(const Show&, const Show&) = default;
  // Null: not in the show. An empty name finds nothing.
  [[nodiscard]] const Submix* find_submix(std::string_view submix_name) const;
  [[nodiscard]] Submix* find_submix(std::string_view submix_name);
  [[nodiscard]] const Stream* find_stream(std::string_view stream_name) const;
  [[nodiscard]] Stream* find_stream(std::string_view stream_name);
  [[nodiscard]] const Slot* find_slot(const Port& port) const;
  [[nodiscard]] Slot* find_slot(const Port& port);
};

}  // namespace submix::show
