// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/event_sink.hpp"
#include "controller/model/view/cluster_view.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

/// "note", "warning", "fault".
[[nodiscard]] std::string_view word_of(Severity severity);

/// Something that is, or was, not as it should be.
struct Alert {
  std::uint64_t id = 0;  ///< grows
  Severity severity = Severity::warning;
  std::string thing;     ///< "node left", "link 1 of right", "slot left.glow"
  std::string cause;     ///< the newest cause
  std::string response;  ///< the system's reaction
  LocalTime since{};
  std::optional<LocalTime> until;  ///< empty: the alert is open
  std::uint32_t count = 1;         ///< how often the alert came back soon after its end
  bool is_acknowledged = false;    ///< a person has seen the alert
  /// For alerts about a counter: its value. The alert is open while the counter grows.
  std::uint64_t total = 0;
  // Where a click leads. Fields of other kinds of things are empty.
  std::string node;
  std::string submix;
  std::string slot;
  std::string stream;

  [[nodiscard]] bool is_open() const { return !until.has_value(); }
};

/// Whether submixes start, or another size or show is on its way. Rates are not valid yet.
[[nodiscard]] bool is_settling(const ClusterView& view);

/// A show that settles for longer is reported as slow or as standing still.
inline constexpr std::chrono::seconds kSettlingMax{5};

/// The faults in a view, the worst first, without ids and times. An event's text about the reaction
/// is added. Left out: idle parts, nodes outside the show, rates in a pause, and rates while the
/// view settles (since `settling_for`). A standstill of kSettlingMax is always reported.
[[nodiscard]] std::vector<Alert> find_alerts(
    const ClusterView& view, LocalTime::duration settling_for = LocalTime::duration(0));

/// What the view cannot tell yet about nodes of the show, a sentence each: a node whose readings
/// have not come may be dead. While there is any, nobody knows that all is well.
[[nodiscard]] std::vector<std::string> undecided_things(const ClusterView& view);

/// The alerts of a session.
///
/// Shape    At most kAlertsMax; the alerts that ended first are forgotten first. A fault shorter
///          than kSettleTime is no alert: links take a moment to open. An alert that comes back
///          within kComesBackWithin is the same alert, and must be acknowledged again.
/// Threads  Compatible. The class has no clock: callers pass the time.
/// Cost     update(): visits every link and slot; copies the list after a change.
///
/// Acknowledgements are shared between controllers, by the alerts' things. set_seen() brings the
/// cluster's list. take_changes() returns this controller's acknowledgements, and things to remove:
/// ended alerts, and things without an alert for kSeenKept.
class AlertLog {
 public:
  static constexpr std::size_t kAlertsMax = 200;
  static constexpr std::chrono::milliseconds kSettleTime{1500};
  static constexpr std::chrono::seconds kComesBackWithin{20};
  static constexpr std::chrono::seconds kGrowthShown{10};
  static constexpr std::chrono::seconds kSeenKept{10};

  using Alerts = std::vector<Alert>;
  /// Changes to the cluster's list of acknowledged things.
  struct Changes {
    std::vector<std::string> seen;
    std::vector<std::string> over;

    [[nodiscard]] bool is_empty() const { return seen.empty() && over.empty(); }
  };

  /// Call a few times a second.
  void update(const ClusterView& view, LocalTime now);
  void acknowledge(std::uint64_t id);
  void acknowledge_all();
  /// Sets the cluster's whole list.
  void set_seen(const std::vector<std::string>& things, LocalTime now);
  /// The changes since the last call.
  [[nodiscard]] Changes take_changes();
  /// Open alerts first, unseen ones before seen ones, then the newest. Never null. A returned list
  /// is never changed.
  [[nodiscard]] std::shared_ptr<const Alerts> alerts() const { return alerts_; }
  /// Things with a fault that has not lasted kSettleTime yet.
  [[nodiscard]] std::vector<std::string> pending_things() const;

 private:
  struct PendingAlert {
    std::string thing;
    LocalTime since;
  };
  /// The greatest value of a counter.
  struct CounterPeak {
    std::string thing;
    std::uint64_t count = 0;
    LocalTime grown{};
  };
  [[nodiscard]] LocalTime::duration settling_for(const ClusterView& view, LocalTime now);
  /// A thing that the cluster has as acknowledged.
  struct SeenThing {
    std::string thing;
    LocalTime kept{};  ///< last time with an open alert, or its arrival
  };
  [[nodiscard]] bool is_seen(std::string_view thing) const;
  void acknowledge(Alert& alert);
  void end(Alert& alert, const ClusterView& view, LocalTime now);
  void forget_over(const ClusterView& view, const Alerts& present, LocalTime now);
  void drop_old_peaks(Alerts& present, LocalTime now);
  void open(Alert alert, LocalTime since);
  [[nodiscard]] std::optional<LocalTime> settled(const Alert& alert, LocalTime now);
  void publish();

  std::vector<Alert> all_;
  std::vector<PendingAlert> pending_;  // present, but not yet for kSettleTime
  std::vector<CounterPeak> peaks_;
  std::optional<LocalTime> settling_since_;
  std::vector<SeenThing> seen_;
  Changes changes_;
  std::uint64_t next_id_ = 1;
  std::shared_ptr<const Alerts> alerts_ = std::make_shared<const Alerts>();
};

/// The number of open alerts that nobody has acknowledged.
[[nodiscard]] std::size_t unseen_alerts(const AlertLog::Alerts& alerts);

}  // namespace submix::model
