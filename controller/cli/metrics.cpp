// SPDX-License-Identifier: GPL-3.0-or-later
// submix metrics
#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/stop_signal.hpp"
#include "common/metrics/metrics_server.hpp"
#include "common/metrics/metrics_text.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace submix::cli {
namespace {

constexpr std::chrono::seconds kSilenceMax(3);  // nodes send ten readings a second
constexpr std::chrono::milliseconds kLook(100);

/// The newest reading of each node. A node that falls silent stays known.
///
/// Threads  Synchronized: readings come on NATS's thread, questions on the server's.
class NewestReadings {
 public:
  void accept(const telemetry::NodeReading& reading) SUBMIX_EXCLUDES(mutex_) {
    auto newest = std::make_shared<const telemetry::NodeReading>(reading);
    const MutexLock lock(mutex_);
    if (nodes_.size() >= show::kNodesMax && !nodes_.contains(reading.node)) return;
    nodes_[reading.node] = {std::move(newest), clock_.now()};
  }
  [[nodiscard]] std::vector<metrics::KnownNode> nodes() SUBMIX_EXCLUDES(mutex_) {
    const auto now = clock_.now();
    const MutexLock lock(mutex_);
    std::vector<metrics::KnownNode> known;
    for (const auto& [name, node] : nodes_)
      known.push_back({.reading = node.reading, .is_up = now - node.heard < kSilenceMax});
    return known;
  }

 private:
  struct Node {
    std::shared_ptr<const telemetry::NodeReading> reading;
    LocalTime heard;
  };

  const SteadyClock clock_;
  Mutex mutex_;
  std::map<std::string, Node> nodes_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace

int run_metrics(Context& context, const MetricsOptions& options) {
  StopSignal stop;
  const auto at = metrics::parse_metrics_address(options.listen);
  if (!at) {
    failed(context, "--listen: " + at.error().message);
    return kWrongUse;
  }
  NewestReadings readings;
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto subscription = connection->cluster().subscribe_readings(
      [&readings](const telemetry::NodeReading& reading) { readings.accept(reading); });
  const auto server = metrics::MetricsServer::start(
      *at, [&readings] { return metrics::metrics_text(readings.nodes()); });
  if (!server) return failed(context, server.error().message);
  context.out << "metrics are at " << (*server)->url() << std::endl;
  while (!stop.wait_for(kLook)) {
  }
  return kOk;
}

}  // namespace submix::cli
