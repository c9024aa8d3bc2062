// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/media/scope.hpp"
#include "node/plugin/drawing_surface.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace submix::plugin {

enum class ScopeKind { waveform, parade, vectorscope, histogram };

struct ScopeLook {
  ScopeKind kind = ScopeKind::waveform;
  double brightness = 1;  ///< factor of the trace's light
  double opacity = 1;     ///< of the black behind the trace
};

/// Measures pictures of one size, and draws the scope like the window's scopes.
///
/// Shape    A vectorscope is a square in the middle of its place. Names stand at its targets from
///          160 pixels on. Alpha is not measured: a transparent pixel counts by its colour.
/// Threads  Compatible.
/// Cost     To measure and draw 1280x720 on one core (Intel Xeon): waveform 2 ms, parade 4,
///          vectorscope 3, histogram 4; 2 ms more if the picture is seen through the ground.
///          A larger picture costs no more to measure, but its pixels to draw. Allocates only when
///          made, at most 2.5 MB for pictures of usual shapes.
class ScopePainter {
 public:
  explicit ScopePainter(Size picture);

  /// Measures the picture for a scope at `place`, which lies inside and is not empty.
  void measure(std::span<const std::uint8_t> rgba, Rectangle place, const ScopeLook& look);
  /// Draws what was measured, at its place of `surface`, over the pixels there.
  void draw(DrawingSurface& surface);

 private:
  void fill_brightness(double factor);
  void measure_waveform(const media::ScopeInput& picture);
  void measure_vectorscope(const media::ScopeInput& picture);
  void measure_histogram(const media::ScopeInput& picture);

  void draw_traces(DrawingSurface& surface);
  void fill_row(int row);
  void fill_field(int row, std::span<Color> field) const;
  void fill_waveform(std::size_t begin, std::span<Color> field) const;
  void fill_parade(std::size_t begin, std::span<Color> field) const;
  void fill_vectorscope(std::size_t begin, std::span<Color> field) const;
  void fill_bars(int height, std::span<Color> field) const;
  void draw_steps(DrawingSurface& surface) const;
  void draw_targets(DrawingSurface& surface) const;

  const Size size_;
  ScopeKind kind_ = ScopeKind::waveform;
  unsigned opacity_ = 0;  // of 256
  Rectangle place_;
  Rectangle field_;  // of the place, the part with the trace
  Size grid_;        // places of the counts or marks
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> marks_;
  media::TraceBrightness trace_{0};
  std::array<std::uint8_t, 256> brightened_{};
  std::vector<std::array<int, 3>> bars_;  // by column of the field: heights of red, green and blue
  std::vector<std::size_t> columns_;      // of the grid, by column of the field
  std::vector<Color> row_;                // of the place: the trace on black
  std::vector<Color> through_;            // of the place: how much of the picture is seen, of 255
};

}  // namespace submix::plugin
