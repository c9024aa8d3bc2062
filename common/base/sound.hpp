// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace submix {

/// How loud a sound is. Each number is 0 (silence) to 1 (as loud as it was in the last seconds).
struct Sound {
  double level = 0.0;  ///< all frequencies together
  double bass = 0.0;   ///< below 150 Hz: the kick
  double mids = 0.0;   ///< 150 Hz to 2 kHz: voices
  double highs = 0.0;  ///< above 2 kHz: hi-hats
  double onset = 0.0;  ///< 1 when a note or a drum begins; falls to 0 in a third of a second

  friend bool operator==(const Sound&, const Sound&) = default;
};

}  // namespace submix
