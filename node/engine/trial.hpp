// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/engine/graph.hpp"
#include "node/engine/patch.hpp"

#include <cstddef>

namespace submix::engine {

/// The result of a trial.
struct Trial {
  SlotFaults faults;             ///< none: as far as a trial can tell, the patch can be built
  std::size_t memory_bytes = 0;  ///< least memory for new pools
};

/// Checks if a patch could be built from `submix`, or a running patch edited to it, without
/// building anything. Looks at plugins, files, values, sizes and the memory of new pools.
///
/// `running` is the submix that runs with the same size and rate; null: none. Its unchanged slots
/// are not checked and keep their pools.
///
/// Threads  Any. Opens files, so a call may take as long as a slow disk does.
[[nodiscard]] Trial try_submix(const show::Submix& submix, const show::Submix* running,
                               const Format& format, const PatchEnvironment& environment);

/// The least memory for new pools alone, as try_submix() tells it. Opens no file. 0: no patch can
/// be built.
[[nodiscard]] std::size_t memory_of_new_pools(const show::Submix& submix,
                                              const show::Submix* running, const Format& format,
                                              const PatchEnvironment& environment);

}  // namespace submix::engine
