// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "node/engine/patch.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// Submixes that another node shall run by now. Each runs on here until that node has taken over. There is no
/// time limit.
///
/// Threads  patches(): any. All else: Confined (agent).
class MovedSubmixes {
 public:
  /// Whether the new node of a submix delivers its frames.
  using HasTakenOver = std::function<bool(const std::string& submix)>;

  /// How long a submix that has moved is looked at often.
  static constexpr std::chrono::seconds kHaste{5};

  explicit MovedSubmixes(const engine::PatchEnvironment& environment) : environment_(environment) {}
  ~MovedSubmixes();
  MovedSubmixes(const MovedSubmixes&) = delete;
  MovedSubmixes& operator=(const MovedSubmixes&) = delete;

  void add(const std::string& name, std::shared_ptr<engine::Patch> patch) SUBMIX_EXCLUDES(mutex_);
  /// The patch of a submix that is to run here again; null: there is none of this format.
  [[nodiscard]] std::shared_ptr<engine::Patch> take_back(std::string_view name,
                                                         const engine::Format& format)
      SUBMIX_EXCLUDES(mutex_);
  void end(std::string_view name);
  /// Ends those that no node shall run any more.
  void end_all_but(const std::set<std::string>& wanted);
  /// Ends those that another node has taken over; now and then. Without `has_taken_over` none has.
  void tend(const HasTakenOver& has_taken_over);
  /// Whether one has just moved. A new node that takes its time is no haste.
  [[nodiscard]] bool are_in_haste() const;
  /// Of those that run in `format`: the frames of any other are of no use to the show.
  [[nodiscard]] std::vector<cluster::SubmixReport> reports(const engine::Format& format) const
      SUBMIX_EXCLUDES(mutex_);
  /// The same ones' patches, by name.
  [[nodiscard]] std::map<std::string, std::shared_ptr<engine::Patch>> patches(
      const engine::Format& format) const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Moved {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    LocalTime since{};
  };

  using IsOver = std::function<bool(const Moved& moved)>;

  /// Stops those outside the lock.
  void end_where(const IsOver& is_over) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<Moved> all() const SUBMIX_EXCLUDES(mutex_);

  const engine::PatchEnvironment& environment_;
  mutable Mutex mutex_;
  std::vector<Moved> moved_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
