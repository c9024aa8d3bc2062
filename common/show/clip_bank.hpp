// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/parameters.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The bank of a clip: the files of which one plays, each with its cue points. It stands in
/// parameters of the slot, so that whatever sets parameters changes it. Pure.
namespace submix::show {

inline constexpr std::size_t kBankClipsMax = 8;
inline constexpr std::size_t kCuePointsMax = 8;  ///< of one clip

/// The file of clip 1, as before there were banks.
inline constexpr std::string_view kClipFile = "file";
/// The files of clips 2 to 8: "sun.mp4|moon.mp4". A file with a bar in its name has no place here.
inline constexpr std::string_view kClipBank = "bank";
/// The cue points of each clip, in seconds: "1.5 4||0.25".
inline constexpr std::string_view kClipPoints = "points";
/// The number of the clip that plays. A change plays the clip from its beginning.
inline constexpr std::string_view kBankClip = "clip";
/// A change jumps to the cue point of this number; 0: to none.
inline constexpr std::string_view kCuePoint = "point";

struct BankClip {
  std::string file;
  std::vector<double> points{};  ///< seconds

  friend bool operator==(const BankClip&, const BankClip&) = default;
};
using ClipBank = std::vector<BankClip>;

/// The bank that the parameters state: at least clip 1. Whatever is beyond the limits, or no
/// number, is left out.
[[nodiscard]] ClipBank clip_bank_of(const Parameters& parameters);
/// The values of `bank` and `points` that state a bank. The first clip's file stays in `file`.
[[nodiscard]] std::string bank_text(const ClipBank& bank);
[[nodiscard]] std::string points_text(const ClipBank& bank);

}  // namespace submix::show
