// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "node/engine/trial.hpp"
#include "node/plugin/catalog.hpp"

#include <functional>
#include <optional>
#include <string>

namespace submix::agent {

/// A submix that can run in place of a submix with faulty slots.
struct Fallback {
  show::Submix submix;
  std::string error;  ///< each fault and its replacement, one slot a line
};

/// Finds the faults of a submix, like engine::try_submix().
using FindFaults = std::function<engine::SlotFaults(const show::Submix&)>;

/// The part of `wanted` that can run. A faulty slot is replaced by its version in `good`, the
/// submix that last ran without a fault (null: none). If `good` lacks the slot, or its version is
/// faulty too, a stand-in replaces the slot: a source becomes black, a filter passes its first
/// input on. Empty: the fault concerns no single slot, or the submix cannot run even with
/// stand-ins.
[[nodiscard]] std::optional<Fallback> find_fallback(const show::Submix& wanted,
                                                    const show::Submix* good,
                                                    const plugin::Catalog& catalog,
                                                    const FindFaults& find_faults);

}  // namespace submix::agent
