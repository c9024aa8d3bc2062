// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/cluster_view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// What limits the show's rate.
struct Bottleneck {
  enum class Kind {
    unknown,     ///< too little is known: no show, no connection, nothing measured yet
    nothing,     ///< the show keeps its rate
    paused,      ///< by somebody
    standstill,  ///< no frame for a second; see find_holdups()
    // The show flows, but slower than it should:
    slot,     ///< a plugin that is at work most of the time
    link,     ///< a stream's links carry less than it needs, or some are not open
    delay,    ///< a stream's links have time to spare, but its frames are long on their way
    machine,  ///< none of these, but a computer has no time left
  };

  Kind kind = Kind::unknown;
  std::string sentence;           ///< all of it, for people
  double fps = 0;                 ///< of the slowest final submix
  double wanted_fps = 0;          ///< the show's
  std::vector<std::string> path;  ///< from the output back to what limits: "mix.screen", "stream left", …

  // Of what limits; empty or 0 where it is of another kind.
  std::string node;
  std::string submix;
  std::string slot;
  double frame_ms = 0;  ///< that the slot takes for a frame
  std::string stream;
  std::optional<std::uint32_t> link;  ///< the slowest, or one that is not open
  double mb_per_second = 0;           ///< that the stream carries
  double mb_per_second_needed = 0;    ///< at the show's rate

  /// Frames flow, but slower than they should.
  [[nodiscard]] bool is_slow() const { return kind >= Kind::slot; }
};

/// Goes back from the slowest final submix: a slot that waits for input leads to whoever fills the input that
/// is least ready, a stream whose sender has frames waiting is itself the limit, and where the way ends
/// otherwise, the busiest slot on it is. Where none is busy, the computer may be.
///
/// Cost     A few comparisons for each slot and link on that way.
[[nodiscard]] Bottleneck find_bottleneck(const ClusterView& view);

[[nodiscard]] std::string_view to_string(Bottleneck::Kind kind);

}  // namespace submix::model
