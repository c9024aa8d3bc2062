// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/sound_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace submix::shader {
namespace {

constexpr float kTones = 4;  // periods in a picture

float wave_at(float x, float loudness) {
  return 0.5F + loudness / 2 * std::sin(2 * std::numbers::pi_v<float> * kTones * x);
}

// Each band is loudest in the middle of its third, and runs into the next. Both ends are silent.
float spectrum_at(float x, std::span<const float> bands) {
  const float place = x * static_cast<float>(bands.size()) + 0.5F;  // 1: middle of the first band
  const auto before = static_cast<std::size_t>(place);
  const float share = place - static_cast<float>(before);
  const auto loudness = [&](std::size_t band) {
    return band == 0 || band > bands.size() ? 0.0F : bands[band - 1];
  };
  return loudness(before) * (1 - share) + loudness(before + 1) * share;
}

}  // namespace

std::vector<std::string> parameters_of_sound(const IsfInput& input) {
  if (input.type == InputType::waves) return {input.name};
  if (input.type != InputType::spectrum) return {};
  return {input.name + "_bass", input.name + "_mids", input.name + "_highs"};
}

void paint_sound(std::span<const float> loudness, std::span<std::uint8_t> rgba) {
  constexpr std::size_t kParts = 4;
  for (std::size_t i = 0; i < kSoundSize.pixels(); ++i) {
    const float x = (static_cast<float>(i) + 0.5F) / static_cast<float>(kSoundSize.width);
    const float value =
        loudness.size() == 1 ? wave_at(x, loudness.front()) : spectrum_at(x, loudness);
    const auto grey = static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
    std::ranges::copy(std::array<std::uint8_t, kParts>{grey, grey, grey, 255},
                      rgba.subspan(i * kParts, kParts).begin());
  }
}

}  // namespace submix::shader
