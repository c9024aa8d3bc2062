// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/frei0r_instance.hpp"

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace submix::plugin {

struct Frei0rLibrary;

/// A picture aligned as frei0r wants it.
class TrialPicture {
 public:
  explicit TrialPicture(Size size);

  [[nodiscard]] std::span<std::uint8_t> rgba();
  /// Noise between two levels of its own, so that what looks at differences and at levels has something to
  /// see. Where `seed` is even it is opaque.
  void fill(std::uint32_t seed);

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Instances of one plugin that draw the same inputs in turn, with the same settings of its parameters.
///
/// Threads  Confined.
/// Errors   make(): no instance can be made.
class Trial {
 public:
  Trial(const Frei0rLibrary& library, Size size);

  /// Setting 0 has the initial values, the next four have each parameter at one level, all others are random.
  /// A text takes those that are known for it in turn.
  static constexpr int kLevelSettings = 5;
  /// With so many, each parameter has had each level and each text.
  [[nodiscard]] int settings_to_try() const;
  [[nodiscard]] Result<std::unique_ptr<Frei0rInstance>> make(int setting) const;

  void draw(Frei0rInstance& instance, int frame, TrialPicture& output);
  /// Without the output being cleared first.
  void draw_over(Frei0rInstance& instance, int frame, TrialPicture& output);

 private:
  [[nodiscard]] Frei0rInstance::Inputs inputs(const Frei0rInstance& instance, int frame);

  const Frei0rLibrary& library_;
  const Size size_;
  std::vector<TrialPicture> pictures_;  // for each input, in turn
};

}  // namespace submix::plugin
