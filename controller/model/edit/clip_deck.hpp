// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The bank and the cue points of a clip (show::ClipBank), each change as one edit. Pure.
///
/// A change for the next beat states the frame from which it holds. The clip's node changes at this
/// frame by itself, so the way of the edit to the node costs no beat.
///
/// Errors   The slot is no clip, or the bank is full or has no such clip or point.
namespace submix::model {

enum class TakeTime { at_once, next_beat, next_bar };
inline constexpr std::array kTakeTimes{TakeTime::at_once, TakeTime::next_beat, TakeTime::next_bar};
[[nodiscard]] std::string_view to_string(TakeTime time);

/// How long an edit may take to reach the nodes. If the next beat comes sooner, the one after it
/// counts.
inline constexpr std::chrono::milliseconds kTakeAhead{100};

/// When a change of a clip happens, by the show's time `now`.
struct TakeAt {
  TakeTime time = TakeTime::next_beat;
  std::optional<std::chrono::nanoseconds> now{};  ///< empty: not known, so it happens at once
};

/// The first frame at or after the next beat or bar. Empty: at once, also if the tempo stands
/// still.
[[nodiscard]] std::optional<FrameIndex> frame_of_take(const show::Show& show, const TakeAt& at);

/// Plays clip `number` of the bank, from its in point.
[[nodiscard]] Result<Edit> take_clip(const show::Show& show, const show::Port& clip,
                                     std::size_t number, const TakeAt& at);
/// Jumps to cue point `number` of the clip that plays at that time.
[[nodiscard]] Result<Edit> jump_to_point(const show::Show& show, const show::Port& clip,
                                         std::size_t number, const TakeAt& at);

/// The number in the bank of the clip that the show wants to play.
[[nodiscard]] std::size_t wanted_clip(const show::Slot& clip);
/// Plays another file in the place of the wanted clip of the bank, from its beginning to its end:
/// the former file's in and out points mean nothing here.
[[nodiscard]] Result<Edit> play_in_clip(const show::Show& show, const show::Port& clip,
                                        const std::string& file);

[[nodiscard]] Result<Edit> add_to_bank(const show::Show& show, const show::Port& clip,
                                       const std::string& file);
/// The other clips keep their parts and cue points, and the clip that plays continues. Clip 1
/// cannot be removed: it is the slot's file.
[[nodiscard]] Result<Edit> take_out_of_bank(const show::Show& show, const show::Port& clip,
                                            std::size_t number);
/// Adds a cue point at `seconds` to clip `number`, behind its others.
[[nodiscard]] Result<Edit> add_point(const show::Show& show, const show::Port& clip,
                                     std::size_t number, double seconds);
[[nodiscard]] Result<Edit> forget_point(const show::Show& show, const show::Port& clip,
                                        std::size_t number, std::size_t point);

}  // namespace submix::model
