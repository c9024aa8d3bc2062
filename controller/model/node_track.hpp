// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/cluster_view.hpp"
#include "controller/model/history.hpp"
#include "controller/model/rates.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace submix::model {

/// What one node has said: its report, the readings of the last second, and a history for each link.
///
/// Threads  Compatible.
/// Errors   A reading that is late, doubled or of a former life is dropped; a new instance begins anew.
class NodeTrack {
 public:
  void accept(cluster::NodeReport report, LocalTime now);
  void accept(telemetry::NodeReading reading, LocalTime now);
  /// Adds one sample to each history; to be called each kHistoryPeriod.
  void sample(LocalTime now);

  [[nodiscard]] bool has_been_heard() const { return last_sign_.has_value(); }
  /// Silence is counted from `listening_since` on: what happened while nobody listened is not the node's
  /// fault.
  [[nodiscard]] std::chrono::milliseconds silence(LocalTime now, LocalTime listening_since) const;
  [[nodiscard]] Health health(LocalTime now, LocalTime listening_since) const;
  [[nodiscard]] NodeView view() const;  ///< without name, health and silence
  [[nodiscard]] const cluster::SubmixReport* find_submix(std::string_view name) const;
  [[nodiscard]] ReadingPair readings() const;
  [[nodiscard]] std::vector<float> history(const telemetry::StreamReading& stream, std::uint32_t link) const;

 private:
  using LinkKey = std::tuple<std::string, bool, std::uint32_t>;  // stream, is_sender, index

  void begin_life(const std::string& instance);

  std::optional<cluster::NodeReport> report_;
  std::deque<telemetry::NodeReading> readings_;  // of one instance, about a second; newest last
  std::string instance_;
  std::uint32_t restarts_ = 0;
  std::optional<LocalTime> last_sign_;
  std::optional<LocalTime> last_reading_;
  std::map<LinkKey, History> histories_;
};

}  // namespace submix::model
