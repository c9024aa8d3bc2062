// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "node/shader/isf_header.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Sound as shaders read it: a picture of one row. The sound itself stays on the PC that listens.
/// Only its loudness comes here, as parameters that follow it.
namespace submix::shader {

inline constexpr Size kSoundSize{256, 1};
inline constexpr std::size_t kSoundParametersMax = 3;  ///< of an input

/// The names of the parameters of a sound input: for waves the input's name; for a spectrum this
/// name with "_bass", "_mids" and "_highs". Empty: the input is no sound.
[[nodiscard]] std::vector<std::string> parameters_of_sound(const IsfInput& input);

/// Paints `rgba`, R,G,B,A of kSoundSize, all grey. Waves are a tone around one half; its amplitude
/// is the loudness. A spectrum goes from bass at the left to highs at the right.
///
/// Shape    `loudness`: a number from 0 to 1 for each of parameters_of_sound().
void paint_sound(std::span<const float> loudness, std::span<std::uint8_t> rgba);

}  // namespace submix::shader
