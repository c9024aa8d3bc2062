// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parameters.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The bank of a clip: the files of which one plays, each with its part and its cue points. It
/// stands in parameters of the slot, so that whatever sets parameters changes it. Pure.
namespace submix::show {

inline constexpr std::size_t kBankClipsMax = 8;
inline constexpr std::size_t kCuePointsMax = 8;  ///< of one clip

/// The file of clip 1, as before there were banks.
inline constexpr std::string_view kClipFile = "file";
/// The files of clips 2 to 8: "sun.mp4|moon.mp4". A file with a bar in its name has no place here.
inline constexpr std::string_view kClipBank = "bank";
/// The cue points of each clip, in seconds: "1.5 4||0.25".
inline constexpr std::string_view kClipPoints = "points";
/// The part of clip 1, in seconds. They are numbers, so that MIDI, OSC, cues and oscillators move
/// them.
inline constexpr std::string_view kClipIn = "in";
inline constexpr std::string_view kClipOut = "out";
/// The parts of clips 2 to 8, in seconds: "1.5-4||2-". The first one is of clip 2; clip 3 plays
/// whole; clip 4 plays to its end.
inline constexpr std::string_view kClipParts = "parts";
/// The number of the clip that plays. A change plays the clip from its in point.
inline constexpr std::string_view kBankClip = "clip";
/// A change jumps to the cue point of this number; 0: to none.
inline constexpr std::string_view kCuePoint = "point";

/// The part of a clip that plays, in seconds since its first picture.
struct ClipPart {
  double begin = 0;
  double end = 0;  ///< 0: the clip's end

  friend bool operator==(const ClipPart&, const ClipPart&) = default;
};

struct BankClip {
  std::string file;
  std::vector<double> points{};  ///< seconds
  ClipPart part{};

  friend bool operator==(const BankClip&, const BankClip&) = default;
};
using ClipBank = std::vector<BankClip>;

/// The bank that the parameters state: at least clip 1. Whatever is beyond the limits, or no
/// number, is left out.
[[nodiscard]] ClipBank clip_bank_of(const Parameters& parameters);
/// The part of clip `number`, without the rest of the bank. Of clips 2 to 8, a part that is
/// damaged, or that ends before it begins, is the whole clip.
[[nodiscard]] ClipPart clip_part_of(const Parameters& parameters, std::size_t number);
/// What plays of a clip with this length in seconds, with its real end. A part of which the clip
/// has nothing counts as the whole clip. Length 0: not known, so the part stays.
[[nodiscard]] ClipPart part_within(const ClipPart& part, double length);

/// The values of `bank`, `points` and `parts` that state a bank. The first clip's file stays in
/// `file`, its part in `in` and `out`.
[[nodiscard]] std::string bank_text(const ClipBank& bank);
[[nodiscard]] std::string points_text(const ClipBank& bank);
[[nodiscard]] std::string parts_text(const ClipBank& bank);

}  // namespace submix::show
