// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/show/document.hpp"
#include "node/engine/stage_parts.hpp"
#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace submix::engine {

/// What moves a slot's parameters: which value each has at a frame of this number.
///
/// Threads  Immutable; shared by the slot's workers.
class Modulation {
 public:
  struct Swing {
    show::Oscillator oscillator;
    std::uint64_t seed = 0;

    friend bool operator==(const Swing&, const Swing&) = default;
  };
  struct Way {
    show::Fade fade;
    double to = 0.0;

    friend bool operator==(const Way&, const Way&) = default;
  };
  struct Part {
    std::string parameter;
    std::variant<Swing, Way> course;

    friend bool operator==(const Part&, const Part&) = default;
  };

  Modulation(std::vector<Part> parts, const show::Timeline& timeline, FrameRate rate)
      : parts_(std::move(parts)), timeline_(timeline), rate_(rate) {}

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool moves(std::string_view parameter) const;
  [[nodiscard]] const Part* find(std::string_view parameter) const;  ///< null: it does not move
  /// The same parts by another timeline.
  [[nodiscard]] std::shared_ptr<const Modulation> with_timeline(
      const show::Timeline& timeline) const;
  /// It, whose oscillators are as a show states them, as it goes on at `frame` where `stated` and `former`
  /// (null: nothing moved) were before: show::in_step().
  [[nodiscard]] std::shared_ptr<const Modulation> in_step(const show::Oscillators& stated,
                                                          const Modulation* former,
                                                          const show::Timeline& timeline,
                                                          FrameIndex frame) const;

  friend bool operator==(const Modulation&, const Modulation&) = default;

 private:
  friend class MovingParameters;

  std::vector<Part> parts_;
  show::Timeline timeline_;
  FrameRate rate_;
};

/// A plugin instance's parameters that move. Confined (its owner thread).
///
/// Cost     move(): nothing without a modulation; else no allocation, and a plugin is told only what differs
///          from its last frame.
class MovingParameters {
 public:
  /// Null: none move any more.
  void follow(std::shared_ptr<const Modulation> modulation);
  /// Somebody else has set it: the next frame's value is told in any case.
  void forget(std::string_view parameter);
  void move(plugin::Plugin& plugin, FrameIndex frame) {
    if (modulation_) move_parts(plugin, frame);
  }

 private:
  void move_parts(plugin::Plugin& plugin, FrameIndex frame);

  std::shared_ptr<const Modulation> modulation_;
  std::vector<double> told_;  // of each part; NaN: nothing yet
};

/// Whether the plugin takes the slot's oscillators that are on: why not, by parameter.
[[nodiscard]] Result<void> check_oscillators(const show::Slot& slot,
                                             const plugin::Description& description);

/// The slot's oscillators that are on, as the show states them, and its fades that are not over, checked
/// against its plugin; null where there is none. A range beyond the plugin's limits is clamped, and the
/// context's events hear of it.
[[nodiscard]] Result<std::shared_ptr<const Modulation>> make_modulation(
    const show::Slot& slot, const plugin::Description& description, const StageContext& context);

}  // namespace submix::engine
