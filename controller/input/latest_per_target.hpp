// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/input/control.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace submix::input {

/// Orders on their way to the session: of each thing the newest one only, and not more often than a picture
/// is drawn. A fader that sends a thousand messages a second so makes sixty edits.
///
/// Shape    At most one order for each thing of the show; steps are each kept, up to kStepsMax. Many values
/// at
///          once, as a pattern of OSC's sets them, are one edit.
/// Threads  Compatible.
class LatestPerTarget {
 public:
  static constexpr std::chrono::milliseconds kPeriod{16};
  static constexpr std::chrono::milliseconds kSeenTime{
      400};  ///< by then an edit is seen in the show
  static constexpr std::size_t kStepsMax = 64;
  static constexpr std::size_t kGroupMin = 8;  ///< values at once that make one edit

  void put(Order order);
  /// What is to be done now, all of it a session's actions.
  [[nodiscard]] std::vector<Order> take_due(const Scene& scene, LocalTime now);
  [[nodiscard]] bool is_empty() const {
    return orders_.empty() && steps_ == 0 && !pace_.tempo && !pace_.speed;
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
  [[nodiscard]] static std::vector<Order> performed(const Order& order, const Scene& scene);
  [[nodiscard]] std::optional<Order> take_pace(const Scene& scene, LocalTime now);

  std::map<std::string, Order> orders_;  // by what they change
  std::size_t steps_ = 0;
  std::map<std::string, Whole> wholes_;  // of parts that were just set
  SetPace pace_{};
  std::optional<Pace> last_pace_;
  LocalTime next_{};
};

}  // namespace submix::input
