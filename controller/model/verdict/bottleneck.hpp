// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/held_inputs.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// One step of the way back from the output, with its measurements of the last second.
struct BottleneckStep {
  std::string name;  ///< "mix.screen", "stream left"
  std::string node;  ///< that runs or sends it
  double fps = 0;
  double working = 0;  ///< these three: shares of the time; of a stream only `blocked`, for credit
  double starved = 0;  ///< waiting for input
  double blocked = 0;  ///< waiting for room behind it
  double mb_per_second = 0;  ///< of a stream
  // The slot or stream of the step. Fields of the other kind are empty.
  std::string submix = {};
  std::string slot = {};
  std::string stream = {};
};

/// The thing that limits the show's rate.
struct Bottleneck {
  enum class Kind {
    unknown,  ///< too little is known: no show, no connection, nothing measured yet
    nothing,  ///< the show keeps its rate
    paused,   ///< by a person
    /// no frame for a second, or longer than a slow show's frames take; see
    /// find_standstill_causes()
    standstill,
    // The following kinds mean: the show flows, but too slowly.
    slot,     ///< a plugin that works most of the time
    link,     ///< a stream's links carry less than it needs, or some are closed
    delay,    ///< a stream's links have time to spare, but its frames take long
    machine,  ///< none of these, but a computer has no time left
  };

  Kind kind = Kind::unknown;
  std::string sentence;     ///< the whole verdict, for people
  double fps = 0;           ///< of the slowest output
  double wanted_fps = 0;    ///< the show's
  bool is_behind = false;   ///< shows less than the show's rate, or nothing, and is not paused
  std::size_t outputs = 0;  ///< number of submixes with an output
  std::size_t outputs_still = 0;  ///< of these, the number that stand still
  /// From the output back to the limit or the origin of the standstill: "mix.screen", "stream
  /// left", … Empty where nothing limits or the show is paused: see way_to_the_source().
  std::vector<std::string> path;

  std::vector<BottleneckStep> steps;  ///< the figures of each step of `path`

  std::chrono::milliseconds still_for{0};  ///< of a standstill, at least, as this observer saw
  // The limiting thing, or the first cause of a standstill. Fields of other kinds are empty or 0.
  std::string node;
  std::string submix;
  std::string slot;
  double frame_ms = 0;  ///< the slot's time for a frame
  std::string stream;
  std::optional<std::uint32_t> link;  ///< the slowest, or a closed one
  double mb_per_second = 0;           ///< carried by the stream
  double mb_per_second_needed = 0;    ///< at the show's rate

  /// Slow performers that do not limit the show; the sentence names them.
  std::vector<HeldInput> held;

  /// Frames flow, but too slowly.
  [[nodiscard]] bool is_slow() const { return kind >= Kind::slot; }
};

/// Goes back from the slowest final submix. A slot that waits for input leads to the slot or stream
/// behind its least ready input. A stream whose sender has frames waiting is the limit. Where the
/// way ends without one, the busiest slot on the way is the limit. If no slot is busy, the computer
/// may be.
///
/// Cost     A few comparisons for each slot and link on the way.
[[nodiscard]] Bottleneck find_bottleneck(const ClusterView& view);

/// Whether a longer look would give the same verdict: something is known, and rates cover the
/// period that the show's rate requires.
[[nodiscard]] bool is_decided(const ClusterView& view, const Bottleneck& bottleneck);

/// The same way, continued to a source: the origin of the frames of a show that keeps its rate, is
/// paused or stands still.
[[nodiscard]] std::vector<BottleneckStep> way_to_the_source(const ClusterView& view);

/// The limit of one stream's frames, found on the way back from the stream. Unknown: nothing on the
/// way is busy.
[[nodiscard]] Bottleneck limit_of(const ClusterView& view, const StreamView& stream);

[[nodiscard]] std::string_view to_string(Bottleneck::Kind kind);

}  // namespace submix::model
