// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/history.hpp"
#include "controller/model/view/rates.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace submix::model {

/// The period for rates: long enough for steady figures, short enough to follow. A slow show needs
/// a longer period.
[[nodiscard]] std::chrono::milliseconds rate_window(FrameRate rate);

/// The messages of one node: its report, the readings of the last second (of a slow show: seconds),
/// and a history for each link.
///
/// Threads  Compatible.
/// Errors   Drops a reading that is late, repeated or from a former process. A new instance begins
///          anew.
class NodeTrack {
 public:
  /// Sets the period of rates from now on. Readings of this period are kept.
  void set_rate_window(std::chrono::milliseconds window) { rate_window_ = window; }
  /// `at`: latest possible time of the report. A report that NATS kept for later listeners
  /// (`is_kept`) is no sign of life.
  void accept(cluster::NodeReport report, LocalTime at, bool is_kept = false);
  /// False: the reading was dropped.
  bool accept(telemetry::NodeReading reading, LocalTime now);
  /// Adds one sample to each history. Call every kHistoryPeriod.
  void sample(LocalTime now);

  /// Notes a sign of life at `at`, from before this observer listened.
  void lived_at(LocalTime at) { lived_at_ = std::max(lived_at_.value_or(at), at); }
  /// Whether the whole silence is known: the node was heard since `time`, or its last sign of life
  /// is known.
  [[nodiscard]] bool is_silence_known(LocalTime time) const {
    return lived_at_ || was_heard_since(time);
  }
  /// Whether the node itself was heard since `time`. A kept report does not count.
  [[nodiscard]] bool was_heard_since(LocalTime time) const {
    return last_heard_ && *last_heard_ >= time;
  }
  /// Silence since `listening_since` at the earliest. An observer cannot blame a node for time
  /// before it listened.
  [[nodiscard]] std::chrono::milliseconds silence(LocalTime now, LocalTime listening_since) const;
  /// The silence since the node's last sign of life, where known.
  [[nodiscard]] std::chrono::milliseconds whole_silence(LocalTime now,
                                                        LocalTime listening_since) const;
  [[nodiscard]] Health health(LocalTime now, LocalTime listening_since) const;
  [[nodiscard]] NodeView view() const;  ///< without name, health and silence
  /// Fills in how long the submix and each of its slots have passed no frame, while this observer
  /// listened.
  void add_stillness(SubmixView& submix, LocalTime now) const;
  [[nodiscard]] const cluster::SubmixReport* find_submix(std::string_view name) const;
  [[nodiscard]] ReadingPair readings() const;
  /// The newest reading and its predecessor.
  [[nodiscard]] ReadingPair newest_step() const;
  [[nodiscard]] std::vector<float> history(const std::string& stream, bool is_sender,
                                           std::uint32_t link) const;

 private:
  using LinkKey = std::tuple<std::string, bool, std::uint32_t>;  // stream, is_sender, index

  /// Whether another end of the same stream, of a former size or rate, still runs.
  [[nodiscard]] static bool has_former(const telemetry::NodeReading& node,
                                       const telemetry::StreamReading& stream);

  /// A count of frames, and the time of its last change.
  struct FrameCount {
    std::uint64_t frames = 0;
    LocalTime since{};
  };
  using CountKey = std::pair<std::string, std::string>;  // submix, and slot or empty

  void begin_life(const std::string& instance);
  void count(const telemetry::NodeReading& reading, LocalTime now);
  [[nodiscard]] std::chrono::milliseconds still_for(const CountKey& key, LocalTime now) const;

  std::chrono::milliseconds rate_window_{1000};
  std::map<CountKey, FrameCount> counts_;
  std::optional<cluster::NodeReport> report_;
  std::deque<telemetry::NodeReading> readings_;  // of one instance, about a second; newest last
  std::string instance_;
  std::uint32_t restarts_ = 0;
  std::optional<LocalTime> last_sign_;
  std::optional<LocalTime> last_reading_;
  std::optional<LocalTime> last_heard_;
  std::optional<LocalTime> lived_at_;
  std::map<LinkKey, History> histories_;
};

}  // namespace submix::model
