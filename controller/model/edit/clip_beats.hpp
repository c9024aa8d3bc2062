// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/clip_bank.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/clip_report.hpp"

#include <array>
#include <optional>

/// A clip and the beats of the show: loops of some beats, and a played part that lasts some beats
/// (show::kClipBeats). Each change is one edit. Pure.
///
/// Errors   The slot is no clip; its node has not told where it is; the beats stand still; a loop
///          would be longer than the clip or shorter than kShortestLoopSeconds; the speed would
///          exceed show::kClipSpeedMax.
namespace submix::model {

inline constexpr std::array kLoopBeats{0.5, 1.0, 2.0, 4.0, 8.0, 16.0};
inline constexpr std::array kSyncBeats{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
inline constexpr double kShortestLoopSeconds = 0.1;

/// What plays of the clip, with its real end.
[[nodiscard]] show::ClipPart played_part(const show::Slot& clip, const ClipReport& report);

/// The beats that the played part is to last (show::lasting_beats()). 0: the clip plays as its
/// speed says.
[[nodiscard]] double synced_beats(const show::Show& show, const show::Slot& clip,
                                  const ClipReport& report);
/// How fast the clip plays: 1 is as it was recorded, below 0 is backwards.
[[nodiscard]] double played_speed(const show::Show& show, const show::Slot& clip,
                                  const ClipReport& report);
/// The beats that the clip's loop lasts. 0: it plays whole, or the beats are not known.
[[nodiscard]] double looped_beats(const show::Show& show, const show::Slot& clip,
                                  const ClipReport& report);

/// Whether loop_beats() makes a loop of `beats`, and else why not. Makes no edit and no text, so a
/// window may ask in each frame.
enum class LoopFit {
  fits,
  no_clip,
  not_told,
  not_in_bank,
  no_beat,
  no_length,
  too_long,
  too_short
};
[[nodiscard]] LoopFit loop_fit(const show::Show& show, const show::Port& clip, double beats,
                               const ClipReport& report);

/// A loop of `beats` from the present position on; a clip that plays backwards has it behind this
/// position. Of a loop that plays already, only the length changes. A loop that would end behind
/// the clip's end lies before this end. A clip that stands still counts as playing forwards, at the
/// recorded speed.
[[nodiscard]] Result<Edit> loop_beats(const show::Show& show, const show::Port& clip, double beats,
                                      const ClipReport& report);
/// Plays the whole clip again, at its pace.
[[nodiscard]] Result<Edit> end_loop(const show::Show& show, const show::Port& clip,
                                    const ClipReport& report);

/// Lets the played part last `beats`; empty: the whole number of beats nearest to its present
/// length.
[[nodiscard]] Result<Edit> sync_to_beats(const show::Show& show, const show::Port& clip,
                                         std::optional<double> beats, const ClipReport& report);
/// From now on the clip plays as its speed says.
[[nodiscard]] Result<Edit> end_sync(const show::Show& show, const show::Port& clip);

}  // namespace submix::model
