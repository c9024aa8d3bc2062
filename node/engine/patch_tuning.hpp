// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/diff.hpp"
#include "common/show/document.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/plugin/plugin.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Checks changes of a slot's parameters against its present state and its plugin. These functions
/// touch no stage; warnings about clamped values go to the context's events.
namespace submix::engine {

/// A slot of a running patch before a change.
struct RunningSlot {
  const show::Slot* stated = nullptr;                ///< by the present show; null: a new slot
  const plugin::Description* description = nullptr;  ///< null: the edit makes a new plugin
  std::shared_ptr<const Modulation> modulation = nullptr;  ///< null: nothing moves
};

/// The checked change of a slot's parameters.
struct Tuning {
  show::Parameters values;                       ///< without values of moving parameters
  bool is_moved = false;                         ///< the members below are valid
  std::shared_ptr<const Modulation> modulation;  ///< as the show states it; null: nothing moves
  show::Parameters settled;                      ///< values of parameters that stop moving
};

/// The tuning of a slot by an edit that makes it `after`.
///
/// Errors   The first value or oscillator that does not fit.
[[nodiscard]] Result<Tuning> tuning_by_edit(const RunningSlot& running, const show::Slot& after,
                                            const plugin::Description& description,
                                            const StageContext& context);

/// The result of a change of a single slot.
struct SlotTuning {
  Tuning tuning;
  show::Slot after;                 ///< the slot as the show states it from now on
  std::vector<std::string> errors;  ///< parts of the change that were left out
};
/// The tuning of a running slot by `change`. Correct parts are applied even if others fail.
[[nodiscard]] SlotTuning tuning_by_change(const RunningSlot& running,
                                          const show::SlotChange& change,
                                          const StageContext& context);

/// A new modulation for a stage.
struct ModulationUpdate {
  std::shared_ptr<const Modulation> modulation;  ///< null: nothing moves
  show::Parameters settled;
};
/// The modulation of a stage at `tempo`. `present` is what moves now (null: nothing).
/// Empty: nothing changes, so the plugin is told nothing.
[[nodiscard]] std::optional<ModulationUpdate> modulation_from(
    const Tuning& tuning, const std::shared_ptr<const Modulation>& present,
    const show::Tempo& tempo);

}  // namespace submix::engine
