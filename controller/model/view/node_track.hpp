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

/// Long enough for steady figures, short enough to follow; a slow show's frames need longer to be counted.
[[nodiscard]] std::chrono::milliseconds rate_window(FrameRate rate);

/// What one node has said: its report, the readings of the last second or, of a slow show, seconds, and a
/// history for each link.
///
/// Threads  Compatible.
/// Errors   A reading that is late, doubled or of a former life is dropped; a new instance begins anew.
class NodeTrack {
 public:
  /// Over so long rates are worked out from here on: the readings of so much time are kept.
  void set_rate_window(std::chrono::milliseconds window) { rate_window_ = window; }
  /// `at`: when the node said so at the latest; a report that is kept for those who come later is no sign
  /// of life (is_kept).
  void accept(cluster::NodeReport report, LocalTime at, bool is_kept = false);
  /// False: it was dropped.
  bool accept(telemetry::NodeReading reading, LocalTime now);
  /// Adds one sample to each history; to be called each kHistoryPeriod.
  void sample(LocalTime now);

  /// The node lived at `at`, as it has told the cluster while nobody here listened.
  void lived_at(LocalTime at) { lived_at_ = std::max(lived_at_.value_or(at), at); }
  /// Since when nothing was heard of the node, if that is known: it was heard since `time`, or its last sign of
  /// life is.
  [[nodiscard]] bool is_silence_known(LocalTime time) const {
    return lived_at_ || was_heard_since(time);
  }
  /// Whether the node itself was heard since then; a report that was kept does not count.
  [[nodiscard]] bool was_heard_since(LocalTime time) const {
    return last_heard_ && *last_heard_ >= time;
  }
  /// Silence is counted from `listening_since` on: what happened while nobody listened is not the node's
  /// fault.
  [[nodiscard]] std::chrono::milliseconds silence(LocalTime now, LocalTime listening_since) const;
  /// The same, counted from the node's last sign of life where that is known.
  [[nodiscard]] std::chrono::milliseconds whole_silence(LocalTime now,
                                                        LocalTime listening_since) const;
  [[nodiscard]] Health health(LocalTime now, LocalTime listening_since) const;
  [[nodiscard]] NodeView view() const;  ///< without name, health and silence
  /// Since when a submix, or a slot of it, has passed no frame, while somebody listened.
  void add_stillness(SubmixView& submix, LocalTime now) const;
  [[nodiscard]] const cluster::SubmixReport* find_submix(std::string_view name) const;
  [[nodiscard]] ReadingPair readings() const;
  /// The newest reading and the one before it.
  [[nodiscard]] ReadingPair newest_step() const;
  [[nodiscard]] std::vector<float> history(const std::string& stream, bool is_sender,
                                           std::uint32_t link) const;

 private:
  using LinkKey = std::tuple<std::string, bool, std::uint32_t>;  // stream, is_sender, index

  /// Whether an end of the same stream runs that has another size or rate.
  [[nodiscard]] static bool has_former(const telemetry::NodeReading& node,
                                       const telemetry::StreamReading& stream);

  /// A count of frames, and since when it stands there.
  struct Count {
    std::uint64_t frames = 0;
    LocalTime since{};
  };
  using CountKey = std::pair<std::string, std::string>;  // submix, and slot or empty

  void begin_life(const std::string& instance);
  void count(const telemetry::NodeReading& reading, LocalTime now);
  [[nodiscard]] std::chrono::milliseconds still_for(const CountKey& key, LocalTime now) const;

  std::chrono::milliseconds rate_window_{1000};
  std::map<CountKey, Count> counts_;
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
