// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/frei0r/frei0r_instance.hpp"

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace submix::plugin {

struct Frei0rLibrary;

/// A picture aligned as frei0r requires.
class TrialPicture {
 public:
  explicit TrialPicture(Size size);

  [[nodiscard]] std::span<std::uint8_t> rgba();
  /// Fills the picture with noise between two levels. Plugins that react to differences or levels
  /// then have something to react to. A picture with an even `seed` is opaque.
  void fill(std::uint32_t seed);

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Runs instances of one plugin over the same inputs in turn, with the same parameter settings.
///
/// Threads  Confined.
/// Errors   make(): no instance can be made.
class Trial {
 public:
  Trial(const Frei0rLibrary& library, Size size);

  /// Setting 0 has the initial values. The next four settings have each parameter at one level, all
  /// later settings are random. A text takes its known values in turn.
  static constexpr int kLevelSettings = 5;
  /// With this many settings, each parameter has had each level and each text.
  [[nodiscard]] int settings_to_try() const;
  [[nodiscard]] Result<std::unique_ptr<Frei0rInstance>> make(int setting) const;

  void draw(Frei0rInstance& instance, int frame, TrialPicture& output);
  /// Like draw(), but does not clear the output first.
  void draw_over(Frei0rInstance& instance, int frame, TrialPicture& output);

 private:
  [[nodiscard]] Frei0rInstance::Inputs inputs(const Frei0rInstance& instance, int frame);

  const Frei0rLibrary& library_;
  const Size size_;
  std::vector<TrialPicture> pictures_;  // for each input, in turn
};

}  // namespace submix::plugin
