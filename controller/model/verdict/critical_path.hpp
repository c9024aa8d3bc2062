// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/verdict/bottleneck.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// One thing on the way from the output back to the limit of the show.
struct PathBox {
  enum class Kind {
    slot,
    queue,   ///< of an input of a slot, or of either end of a stream
    links,   ///< of a stream, all of them
    submix,  ///< that does not run
  };
  enum class State {
    unknown,
    working,  ///< most of its time; the next two likewise
    starved,  ///< waiting for input
    blocked,  ///< waiting for room behind it; of links: full
    paced,    ///< waits for the show's time, as it should
    empty,    ///< a queue
    filling,  ///< a queue
    full,     ///< a queue
    idle,     ///< links
    sending,  ///< links
    closed,   ///< at least one link is closed
    away,     ///< a submix that does not run
  };

  Kind kind = Kind::slot;
  State state = State::unknown;
  bool is_limit = false;  ///< it limits the show
  std::string name;       ///< "mix.screen", "fade to screen", "stream left"
  std::string node;       ///< its node; of a submix: the assigned node
  // The thing itself. Fields of other kinds are empty or 0.
  std::string submix;
  std::string slot;  ///< of a queue: the slot that reads it
  std::string stream;
  std::uint32_t queued = 0;    ///< frames
  std::uint32_t capacity = 0;  ///< 0: not known
  std::string remark = {};     ///< why a submix is away
};

/// The boxes of the way back from the output, to the limit or, without a limit, to a source.
///
/// Cost     A few comparisons for each slot and link on the way.
[[nodiscard]] std::vector<PathBox> critical_path(const ClusterView& view,
                                                 const Bottleneck& bottleneck);

[[nodiscard]] std::string_view to_string(PathBox::State state);

}  // namespace submix::model
