// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "node/engine/patch.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// A patch's size and rate as a text for people.
[[nodiscard]] std::string format_of(const engine::Patch& patch);
/// Whether a plugin of the patch does not work.
[[nodiscard]] bool has_trouble(const engine::Patch& patch);

/// The patches that run on this node, their faults, and each submix as it last ran without a fault.
class RunningSubmixes {
 public:
  struct Entry {
    std::shared_ptr<engine::Patch> patch;  ///< null: never built
    std::string error;                     ///< why the patch differs from the show
    bool is_followed = true;  ///< the patch follows the show except for slots that the error names
  };
  using Patches = std::map<std::string, std::shared_ptr<engine::Patch>>;

  /// Sets the patch of `name` and clears its error. Returns the former patch.
  std::shared_ptr<engine::Patch> exchange(const std::string& name,
                                          std::shared_ptr<engine::Patch> patch)
      SUBMIX_EXCLUDES(mutex_);
  void forget(const std::string& name) SUBMIX_EXCLUDES(mutex_);
  /// Sets the error of `name`. Returns whether it differs from the former error.
  [[nodiscard]] bool fail_for(const std::string& name, const std::string& error, bool is_followed)
      SUBMIX_EXCLUDES(mutex_);
  void clear_error(const std::string& name) SUBMIX_EXCLUDES(mutex_);
  void set_wanted(const show::Show& share) SUBMIX_EXCLUDES(mutex_);
  /// The share that this node follows, even if its patches do not run yet.
  [[nodiscard]] show::Show wanted() const SUBMIX_EXCLUDES(mutex_);

  /// The entry of `name`; an empty entry if unknown.
  [[nodiscard]] Entry find(std::string_view name) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::shared_ptr<engine::Patch> patch_of(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Patches patches() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const SUBMIX_EXCLUDES(mutex_);

  void remember_good(std::vector<show::Submix> submixes) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<show::Submix> good() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<show::Submix> find_good(std::string_view name) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  using Entries = std::map<std::string, Entry, std::less<>>;

  [[nodiscard]] Entries entries() const SUBMIX_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  Entries entries_ SUBMIX_GUARDED_BY(mutex_);
  show::Show wanted_ SUBMIX_GUARDED_BY(mutex_);
  std::map<std::string, show::Submix, std::less<>> good_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
