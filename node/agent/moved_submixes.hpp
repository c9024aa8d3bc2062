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

/// Submixes that the show has moved to another node. Each runs on here until the new node has taken
/// over. There is no time limit.
///
/// Threads  patches(): any. All else: Confined (agent).
class MovedSubmixes {
 public:
  /// Whether the new node of a submix delivers its frames.
  using HasTakenOver = std::function<bool(const std::string& submix)>;

  /// How long a submix counts as just moved, so that it is checked often.
  static constexpr std::chrono::seconds kHaste{5};

  explicit MovedSubmixes(const engine::PatchEnvironment& environment) : environment_(environment) {}
  ~MovedSubmixes();
  MovedSubmixes(const MovedSubmixes&) = delete;
  MovedSubmixes& operator=(const MovedSubmixes&) = delete;

  void add(const std::string& name, std::shared_ptr<engine::Patch> patch) SUBMIX_EXCLUDES(mutex_);
  /// Takes the patch of a submix that returns to this node. Null: no patch of this format.
  [[nodiscard]] std::shared_ptr<engine::Patch> take_back(std::string_view name,
                                                         const engine::Format& format)
      SUBMIX_EXCLUDES(mutex_);
  void end(std::string_view name);
  /// Ends the submixes that are not in `wanted`: no node shall run them.
  void end_all_but(const std::set<std::string>& wanted);
  /// Ends the submixes that another node has taken over. Call regularly. Without `has_taken_over`
  /// none ends.
  void tend(const HasTakenOver& has_taken_over);
  /// Whether a submix has just moved. A new node that starts slowly is no reason to check often.
  [[nodiscard]] bool are_in_haste() const;
  /// Reports of the submixes that run in `format`; frames of another format are useless to the
  /// show.
  [[nodiscard]] std::vector<cluster::SubmixReport> reports(const engine::Format& format) const
      SUBMIX_EXCLUDES(mutex_);
  /// The patches of the submixes that run in `format`, by name.
  [[nodiscard]] std::map<std::string, std::shared_ptr<engine::Patch>> patches(
      const engine::Format& format) const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Moved {
    std::string name;
    std::shared_ptr<engine::Patch> patch;
    LocalTime since{};
  };

  using IsOver = std::function<bool(const Moved& moved)>;

  /// Stops the patches outside the lock.
  void end_where(const IsOver& is_over) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<Moved> all() const SUBMIX_EXCLUDES(mutex_);

  const engine::PatchEnvironment& environment_;
  mutable Mutex mutex_;
  std::vector<Moved> moved_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
