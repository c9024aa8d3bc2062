// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/engine/graph.hpp"
#include "node/engine/patch.hpp"

#include <cstddef>

namespace submix::engine {

/// What a trial of a submix has found.
struct Trial {
  SlotFaults faults;             ///< none: as far as a trial can tell, the patch can be built
  std::size_t memory_bytes = 0;  ///< that new pools need at least
};

/// Looks whether a patch could be built of `submix`, or a running one edited to it, without building
/// anything: plugins, files, values, sizes and the memory of new pools.
///
/// `running` is what runs in the same size and rate, null: nothing. Its unchanged slots are not looked at,
/// and keep their pools.
///
/// Threads  Any. Opens files, so it may take as long as a slow disk does.
[[nodiscard]] Trial try_submix(const show::Submix& submix, const show::Submix* running,
                               const Format& format, const PatchEnvironment& environment);

}  // namespace submix::engine
