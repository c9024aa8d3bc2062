// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/image.hpp"
#include "common/media/scope.hpp"

/// Pictures of what common/media/scope.hpp measures. Pure.
namespace submix::ui {

/// Side of a waveform and a vectorscope in pixels; values of 0 to 255 have one each.
inline constexpr int kScopeSide = media::kScopeLevels;

/// A column for each part of the width, white at the top, black at the bottom. The more pixels are
/// as bright, the brighter the point.
[[nodiscard]] media::Rgb24Image draw_waveform(const media::ScopeInput& picture);

/// Hue as direction and saturation as distance from the middle. Each point has the colour that it
/// stands for.
[[nodiscard]] media::Rgb24Image draw_vectorscope(const media::ScopeInput& picture);

/// Bars from the bottom, red, green and blue over one another. The highest bar between black and
/// white fills the height.
[[nodiscard]] media::Rgb24Image draw_histogram(const media::Histogram& histogram);

}  // namespace submix::ui
