// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/clip_bank.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/clip_report.hpp"

#include <cstddef>
#include <optional>
#include <vector>

/// Edits of the part of a clip that plays. Clip 1 of a bank has it in two numbers, the others in
/// one text (show::clip_part_of()). Pure.
namespace submix::model {

/// The slot of a clip.
///
/// Errors   The slot is no clip.
[[nodiscard]] Result<const show::Slot*> clip_at(const show::Show& show, const show::Port& port);

/// Why nothing can be made of the clip that plays.
[[nodiscard]] tl::unexpected<Error> not_in_bank(const show::Port& clip, const ClipReport& report);

/// An end of a part, and where it goes.
struct PartMove {
  enum class End { in, out };
  End end = End::in;
  double seconds = 0;  ///< of the out point, 0 means the clip's end
};
/// Moves one end of the part of the clip that plays.
///
/// Errors   The slot is no clip, or its bank has the clip no more.
[[nodiscard]] Result<Edit> move_part_end(const show::Show& show, const show::Port& clip,
                                         const PartMove& move, const ClipReport& report);

/// The changes of parameters that give clip `number` this part; the whole clip: none is stated. The
/// bank has this clip.
[[nodiscard]] std::vector<SetParameter> set_part(const show::Port& port, const show::Slot& slot,
                                                 std::size_t number, const show::ClipPart& part);
/// The change that states the parts of this bank. Empty: the slot has them already.
[[nodiscard]] std::optional<SetParameter> set_parts(const show::Port& port, const show::Slot& slot,
                                                    const show::ClipBank& bank);

}  // namespace submix::model
