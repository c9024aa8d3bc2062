// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/diff.hpp"
#include "node/engine/patch.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::agent {

/// The submixes that this node runs, made to converge to what the show asks for: what did not change goes
/// on undisturbed, parameters change while the patch runs, all else is built first and then switched.
///
/// Threads  converge(), tend(): Confined (agent). All else: Synchronized.
/// Errors   A submix that cannot be built is reported as failed; what ran in its place goes on.
class Submixes {
 public:
  explicit Submixes(const engine::PatchEnvironment& environment);
  ~Submixes();  ///< stops all

  /// `share` is what share_of() gives.
  void converge(const show::Show& share) SUBMIX_EXCLUDES(mutex_);
  /// Ends what edits have left behind; now and then.
  void tend() SUBMIX_EXCLUDES(mutex_);

  [[nodiscard]] std::vector<cluster::SubmixReport> reports() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<telemetry::SubmixReading> readings() const SUBMIX_EXCLUDES(mutex_);
  /// Fails for a submix or a slot that does not run here; empty before the first frame.
  [[nodiscard]] Result<media::Frame> latest_frame(std::string_view submix, std::string_view slot) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Running {
    std::shared_ptr<engine::Patch> patch;  // null: never built
    std::string error;                     // why it is not what the show asks for
  };

  [[nodiscard]] bool is_another_file(const show::SlotChange& change, const show::Show& share) const;
  void remove(const std::string& name) SUBMIX_EXCLUDES(mutex_);
  void change(const show::Submix& submix, const show::Show& share, std::set<std::string> renewed)
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<void> build(const show::Submix& submix, const show::Show& share)
      SUBMIX_EXCLUDES(mutex_);
  void tune(const show::SlotChange& change) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::map<std::string, std::shared_ptr<engine::Patch>> patches() const SUBMIX_EXCLUDES(mutex_);
  std::shared_ptr<engine::Patch> exchange(const std::string& name, std::shared_ptr<engine::Patch> patch)
      SUBMIX_EXCLUDES(mutex_);
  void set_error(const std::string& name, std::string error) SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] show::ParameterValue initial_value(const show::Port& slot,
                                                   const std::string& parameter) const;

  const engine::PatchEnvironment environment_;
  std::map<std::string, std::set<std::string>>
      owed_;                 // slots to be renewed with the next edit; agent's thread
  show::Show share_;         // what converge() was told last; agent's thread only
  std::uint64_t epoch_ = 0;  // of the patch built last; agent's thread only
  mutable Mutex mutex_;
  std::map<std::string, Running, std::less<>> running_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::agent
