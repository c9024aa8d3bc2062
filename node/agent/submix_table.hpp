// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "common/telemetry/readings.hpp"
#include "node/agent/local_submix.hpp"
#include "node/engine/patch.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::agent {

[[nodiscard]] engine::Format format_of_show(const show::Show& show);
/// A patch's size and rate as a text for people.
[[nodiscard]] std::string format_of(const engine::Patch& patch);
/// Whether a plugin of the patch does not work.
[[nodiscard]] bool has_trouble(const engine::Patch& patch);

/// The submixes of this node by name, this node's share of the show, and each submix as it last ran
/// without a fault.
///
/// Owner    A submix's patches are shared with readers. No function stops a patch, or destroys one
///          while it holds the lock.
/// Threads  Synchronized. Only the agent's thread changes it.
class SubmixTable {
 public:
  using ByName = std::map<std::string, LocalSubmix, std::less<>>;

  /// Returns `change(submix)` for the submix `name`, which is added unbuilt if it is missing.
  template <typename Change>
  auto change(const std::string& name, Change change) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return change(submixes_[name]);
  }
  /// Takes a submix out; its patches end with the caller's copy. Empty: unknown name.
  std::optional<LocalSubmix> take(const std::string& name) SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] ByName all() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::string> names_in(LocalSubmix::State state) const
      SUBMIX_EXCLUDES(mutex_);
  /// Names of the share's submixes with an error.
  [[nodiscard]] std::vector<std::string> names_with_error() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<LocalSubmix> find(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);
  /// The patch of a submix of the share; null: none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);
  /// The same, but null unless the patch has this format.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(std::string_view name,
                                                        const engine::Format& format) const
      SUBMIX_EXCLUDES(mutex_);
  /// The patch of a submix of the share, or of a moved submix in the share's format: frames of
  /// another format are useless to the show. Null: none.
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_to_show(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);

  void set_wanted(const show::Show& share) SUBMIX_EXCLUDES(mutex_);
  /// This node's share of the show, even if its patches do not run yet.
  [[nodiscard]] show::Show wanted() const SUBMIX_EXCLUDES(mutex_);

  /// Reports of the share's submixes, once started or failed.
  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const SUBMIX_EXCLUDES(mutex_);
  /// Reports of moved submixes in the share's format.
  [[nodiscard]] std::vector<cluster::SubmixReport> reports_of_moving_out() const
      SUBMIX_EXCLUDES(mutex_);
  /// Readings of all patches to show, the share's first.
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const SUBMIX_EXCLUDES(mutex_);

  void remember_good(std::vector<show::Submix> submixes) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<show::Submix> good() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<show::Submix> find_good(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  using Patches = std::vector<std::pair<std::string, std::shared_ptr<engine::Patch>>>;

  [[nodiscard]] Patches patches_moving_out() const SUBMIX_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  ByName submixes_ SUBMIX_GUARDED_BY(mutex_);
  show::Show wanted_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, show::Submix, std::less<>> good_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
