// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/control.hpp"
#include "controller/model/edit/full_screen.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::input {

/// Orders on their way to the session. It keeps only the newest order of each target and releases
/// each target at most once a frame. So a fader with a thousand messages a second makes sixty
/// edits.
///
/// Shape    At most one order for each target. Steps are kept one by one, up to kStepsMax. Many
///          values at once, such as those of an OSC pattern, become one edit.
/// Threads  Compatible.
class LatestPerTarget {
 public:
  static constexpr std::chrono::milliseconds kPeriod{16};
  /// An edit is visible in the show at the latest after this time.
  static constexpr std::chrono::milliseconds kSeenTime{400};
  static constexpr std::size_t kStepsMax = 64;
  static constexpr std::size_t kGroupMin = 8;  ///< from this number on, values become one edit

  void put(Order order);
  /// The orders that are due now. All of them are actions of the session.
  [[nodiscard]] std::vector<Order> take_due(const Scene& scene, LocalTime now);
  [[nodiscard]] bool is_empty() const {
    return orders_.empty() && steps_ == 0 && !pace_.tempo && !pace_.speed && !pace_.beat_shift &&
           !full_screen_.is_begun();
  }

 private:
  struct Whole {
    std::vector<double> numbers;
    LocalTime set{};
  };

  struct Pace {
    show::Tempo tempo;
    LocalTime set{};
  };

  void add_part(const SetPart& order, const Scene& scene, LocalTime now);
  struct Perform;
  [[nodiscard]] std::vector<Order> performed(const Order& order, const Scene& scene, LocalTime now);
  [[nodiscard]] static std::optional<Order> shifted(double beats, const show::Tempo& pace,
                                                    const Scene& scene, LocalTime now);
  [[nodiscard]] std::optional<Order> take_pace(const Scene& scene, LocalTime now);

  std::map<std::string, Order> orders_;  // by target
  std::size_t steps_ = 0;
  std::map<std::string, Whole> wholes_;  // by target; one of their parts was just set
  SetPace pace_{};
  std::optional<Pace> last_pace_;
  model::FullScreenSwitch full_screen_;
  LocalTime next_{};
};

}  // namespace submix::input
