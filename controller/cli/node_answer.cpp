// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/node_answer.hpp"

#include "common/base/mutex.hpp"

#include <algorithm>
#include <optional>

namespace submix::cli {
namespace {

/// The first report of a node about the awaited revision.
///
/// Threads  Synchronized. A thread of the bus calls put(), and the waiting command calls
///          wait_until().
class ReportSlot {
 public:
  void put(const cluster::NodeReport& report) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    report_ = report;
    filled_.notify_one();
  }
  std::optional<cluster::NodeReport> wait_until(std::chrono::steady_clock::time_point deadline)
      SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!report_) {
      if (filled_.wait_until(mutex_, deadline) == std::cv_status::timeout) break;
    }
    return report_;
  }

 private:
  Mutex mutex_;
  Condition filled_;
  std::optional<cluster::NodeReport> report_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace

Result<void> wait_for_node(cluster::Cluster& cluster, const show::Submix& submix,
                           std::uint64_t revision, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  if (submix.node.empty() || !cluster.is_there(submix.node, patience)) return {};
  ReportSlot slot;
  const auto watch = cluster.watch_reports([&](const cluster::NodeReport& report) {
    if (report.node == submix.node && report.show_revision >= revision) slot.put(report);
  });
  const auto report = slot.wait_until(deadline);
  if (!report) return {};
  const auto found = std::ranges::find(report->submixes, submix.name, &cluster::SubmixReport::name);
  if (found == report->submixes.end() || found->state != cluster::SubmixState::failed) return {};
  return fail("node \"{}\": {}", submix.node, found->error);
}

}  // namespace submix::cli
