// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/model/readings.hpp"

namespace submix::model {

/// The sample show with two cues, at ten frames a second. "rise" moves a number in two seconds;
/// "fall" bypasses the effect and pauses the show.
inline show::Show two_cues() {
  auto show = sample::show();
  show.rate = {10, 1};
  auto& glow = *show.find_slot(sample::kGlow);
  glow.parameters = {{"Blur", 0.25}, {"Size", 3.0}};
  glow.oscillators.clear();
  show.cues = {{"rise", "", 2, {}, {show::CueParameter{sample::kGlow, "Blur", 1.0}}},
               {"fall", "", 0, true, {show::CueBypass{sample::kGlow, true}}}};
  return show;
}

}  // namespace submix::model
