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

/// One step of the way back from the output, with what was measured of it in the last second.
struct BottleneckStep {
  std::string name;  ///< "mix.screen", "stream left"
  std::string node;  ///< that runs or sends it
  double fps = 0;
  double working = 0;  ///< these three: shares of the time; of a stream only `blocked`, for credit
  double starved = 0;  ///< waiting for input
  double blocked = 0;  ///< waiting for room behind it
  double mb_per_second = 0;  ///< of a stream
  // Which slot or stream it is; those of the other kind are empty.
  std::string submix = {};
  std::string slot = {};
  std::string stream = {};
};

/// What limits the show's rate.
struct Bottleneck {
  enum class Kind {
    unknown,     ///< too little is known: no show, no connection, nothing measured yet
    nothing,     ///< the show keeps its rate
    paused,      ///< by somebody
    standstill,  ///< no frame for a second, or longer than a slow show's take; see find_causes()
    // The show flows, but slower than it should:
    slot,     ///< a plugin that is at work most of the time
    link,     ///< a stream's links carry less than it needs, or some are not open
    delay,    ///< a stream's links have time to spare, but its frames are long on their way
    machine,  ///< none of these, but a computer has no time left
  };

  Kind kind = Kind::unknown;
  std::string sentence;     ///< all of it, for people
  double fps = 0;           ///< of the slowest output
  double wanted_fps = 0;    ///< the show's
  bool is_behind = false;   ///< it shows less than the show's rate, or nothing, and is not paused
  std::size_t outputs = 0;  ///< submixes that have one
  std::size_t outputs_still = 0;  ///< of these, where all stands still
  /// From the output back to what limits, or to where the standstill comes from: "mix.screen", "stream left",
  /// … Where nothing limits, or the show is paused, empty: see way_to_the_source().
  std::vector<std::string> path;

  std::vector<BottleneckStep> steps;  ///< the figures of each step of `path`

  std::chrono::milliseconds still_for{0};  ///< at least so long it stands, as this observer saw
  // Of what limits, or of the first thing that all wait for; empty or 0 where it is of another kind.
  std::string node;
  std::string submix;
  std::string slot;
  double frame_ms = 0;  ///< that the slot takes for a frame
  std::string stream;
  std::optional<std::uint32_t> link;  ///< the slowest, or one that is not open
  double mb_per_second = 0;           ///< that the stream carries
  double mb_per_second_needed = 0;    ///< at the show's rate

  std::vector<HeldInput>
      held;  ///< whoever is too slow, but does not limit the show; the sentence names them

  /// Frames flow, but slower than they should.
  [[nodiscard]] bool is_slow() const { return kind >= Kind::slot; }
};

/// Goes back from the slowest final submix: a slot that waits for input leads to whoever fills the input that
/// is least ready, a stream whose sender has frames waiting is itself the limit, and where the way ends
/// otherwise, the busiest slot on it is. Where none is busy, the computer may be.
///
/// Cost     A few comparisons for each slot and link on that way.
[[nodiscard]] Bottleneck find_bottleneck(const ClusterView& view);

/// Whether a longer look would not give another verdict: something is known, and rates are of as long a time
/// as the show's rate asks for.
[[nodiscard]] bool is_decided(const ClusterView& view, const Bottleneck& bottleneck);

/// The same way, but on to a source whether or not anything limits on it: where a show that keeps its rate,
/// is paused or stands still has its frames from.
[[nodiscard]] std::vector<BottleneckStep> way_to_the_source(const ClusterView& view);

/// What limits the frames of one stream, found the same way back from it; unknown: nothing on it is busy.
[[nodiscard]] Bottleneck limit_of(const ClusterView& view, const StreamView& stream);

[[nodiscard]] std::string_view to_string(Bottleneck::Kind kind);

}  // namespace submix::model
