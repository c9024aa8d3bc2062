// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "node/engine/trial.hpp"
#include "node/plugin/catalog.hpp"

#include <functional>
#include <optional>
#include <string>

namespace submix::agent {

/// A submix that can run in place of one whose slots are partly at fault.
struct Fallback {
  show::Submix submix;
  std::string error;  ///< what is at fault, and what runs instead; one slot a line
};

/// Looks for faults of a submix, as engine::try_submix() does.
using FindFaults = std::function<engine::SlotFaults(const show::Submix&)>;

/// What can run of `wanted`. A slot at fault is as it was in `good`, which ran before (null: nothing did).
/// One that is not there, or at fault too, is stood in for: a source is black, any other passes its first
/// input on. Empty: no single slot is at fault, or the submix cannot run even so.
[[nodiscard]] std::optional<Fallback> find_fallback(const show::Submix& wanted,
                                                    const show::Submix* good,
                                                    const plugin::Catalog& catalog,
                                                    const FindFaults& find_faults);

}  // namespace submix::agent
