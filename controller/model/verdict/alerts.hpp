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

/// Something that is not as it should be, or was not.
struct Alert {
  std::uint64_t id = 0;  ///< grows
  Severity severity = Severity::warning;
  std::string thing;     ///< "node left", "link 1 of right", "slot left.glow"
  std::string cause;     ///< the newest one
  std::string response;  ///< what the system did about it
  LocalTime since{};
  std::optional<LocalTime> until;  ///< empty: it is open
  std::uint32_t count = 1;         ///< so often it came back soon after
  bool is_acknowledged = false;    ///< somebody has seen it
  std::uint64_t total = 0;         ///< of what is only ever counted up: it is open while that grows
  // Where a click leads; empty where it is of another kind.
  std::string node;
  std::string submix;
  std::string slot;
  std::string stream;

  [[nodiscard]] bool is_open() const { return !until.has_value(); }
};

/// Submixes start, or another size or another show is on its way: rates say nothing yet.
[[nodiscard]] bool is_settling(const ClusterView& view);

/// A show that settles for longer is told to be slow, or to stand still.
inline constexpr std::chrono::seconds kSettlingMax{5};

/// What is wrong in a view now, the worst first; without ids and times. Where an event tells what was done
/// about it, that is told. Nothing is told of what is idle, of a node that is in no show, of rates in a
/// pause, and of rates while the view settles, as it has done for `settling_for`. A standstill of
/// kSettlingMax is always told.
[[nodiscard]] std::vector<Alert> find_alerts(
    const ClusterView& view, LocalTime::duration settling_for = LocalTime::duration(0));

/// The alerts of a session.
///
/// Shape    At most kAlertsMax; those go first that have ended longest ago. What is over before kSettleTime
/// is
///          none: links take a moment to open. What comes back within kComesBackWithin is the same one again,
///          and is to be acknowledged again.
/// Shared   What people have acknowledged elsewhere comes by set_seen(), by what alerts are about, and what
///          they acknowledge here goes by take_changes(), as does what is over or stays away for kSeenKept.
/// Threads  Compatible; no clock of its own.
/// Cost     update(): a look at every link and slot; a copy of the list where something has changed.
class AlertLog {
 public:
  static constexpr std::size_t kAlertsMax = 200;
  static constexpr std::chrono::milliseconds kSettleTime{1500};
  static constexpr std::chrono::seconds kComesBackWithin{20};
  static constexpr std::chrono::seconds kGrowthShown{10};
  static constexpr std::chrono::seconds kSeenKept{10};

  using Alerts = std::vector<Alert>;
  /// To the list of things that somebody has seen.
  struct Changes {
    std::vector<std::string> seen;
    std::vector<std::string> over;

    [[nodiscard]] bool is_empty() const { return seen.empty() && over.empty(); }
  };

  /// To be called a few times a second.
  void update(const ClusterView& view, LocalTime now);
  void acknowledge(std::uint64_t id);
  void acknowledge_all();
  /// What the cluster has: all of it.
  void set_seen(const std::vector<std::string>& things, LocalTime now);
  /// Since it was asked last.
  [[nodiscard]] Changes take_changes();
  /// Open ones first, of these the unseen, then the newest; never null. What is there is never changed.
  [[nodiscard]] std::shared_ptr<const Alerts> alerts() const { return alerts_; }

 private:
  struct Candidate {
    std::string thing;
    LocalTime since;
  };
  /// What was counted up to at most.
  struct Total {
    std::string thing;
    std::uint64_t count = 0;
    LocalTime grown{};
  };
  [[nodiscard]] LocalTime::duration settling_for(const ClusterView& view, LocalTime now);
  /// What the cluster says that somebody has seen.
  struct Seen {
    std::string thing;
    LocalTime kept{};  ///< when it was open last, or came
  };
  [[nodiscard]] bool is_seen(std::string_view thing) const;
  void acknowledge(Alert& alert);
  void end(Alert& alert, const ClusterView& view, LocalTime now);
  void forget_over(const ClusterView& view, const Alerts& present, LocalTime now);
  void drop_old_totals(Alerts& present, LocalTime now);
  void open(Alert alert, LocalTime since);
  [[nodiscard]] std::optional<LocalTime> settled(const Alert& alert, LocalTime now);
  void publish();

  std::vector<Alert> all_;
  std::vector<Candidate> candidates_;  // seen, but not yet for kSettleTime
  std::vector<Total> totals_;
  std::optional<LocalTime> settling_since_;
  std::vector<Seen> seen_;
  Changes changes_;
  std::uint64_t next_id_ = 1;
  std::shared_ptr<const Alerts> alerts_ = std::make_shared<const Alerts>();
};

/// Open and not acknowledged.
[[nodiscard]] std::size_t unseen_alerts(const AlertLog::Alerts& alerts);

}  // namespace submix::model
