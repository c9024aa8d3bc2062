// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/cluster_clock.hpp"
#include "controller/session/cluster_access.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace submix::session {

/// The real cluster, over NATS; see ClusterAccess. Call stop() only while no other call is running.
class NatsAccess final : public ClusterAccess {
 public:
  explicit NatsAccess(cluster::BusSettings settings) : settings_(std::move(settings)) {}
  ~NatsAccess() override { NatsAccess::stop(); }
  NatsAccess(const NatsAccess&) = delete;
  NatsAccess& operator=(const NatsAccess&) = delete;

  void start(std::function<void(Update)> deliver) override;
  void stop() override;
  [[nodiscard]] NodeCheck ask_nodes(const show::Show* before, const show::Show& after) override;
  [[nodiscard]] Result<std::chrono::nanoseconds> show_time() override;
  [[nodiscard]] WriteOutcome write_show(const cluster::DesiredShow& show,
                                        std::uint64_t expected_revision) override;
  [[nodiscard]] Result<void> write_transport(const cluster::DesiredTransport& transport) override;
  [[nodiscard]] Result<cluster::Snapshot> take_snapshot(const std::string& node,
                                                        const cluster::Command& command) override;
  [[nodiscard]] Result<std::vector<cluster::PluginSummary>> list_plugins(
      const std::string& node) override;
  [[nodiscard]] Result<cluster::MediaList> list_media(const std::string& node) override;
  [[nodiscard]] Result<cluster::Snapshot> take_effect_picture(const std::string& node,
                                                              const show::Port& slot,
                                                              const std::string& plugin) override;
  [[nodiscard]] Result<cluster::MediaPicture> take_media_picture(const std::string& node,
                                                                 const std::string& file,
                                                                 double at) override;
  [[nodiscard]] Result<void> copy_media(const MediaOrigin& origin, const std::string& node,
                                        const std::string& name, const CopyWatch& go_on) override;
  [[nodiscard]] Result<void> change_alerts_seen(const std::vector<std::string>& seen,
                                                const std::vector<std::string>& over) override;
  [[nodiscard]] Result<void> forget_node(const std::string& node) override;
  [[nodiscard]] Result<std::string> take_trace(const std::string& node,
                                               std::chrono::seconds look_back) override;

 private:
  void subscribe(const std::function<void(Update)>& deliver);
  /// Measures the cluster's clock until `stop`.
  void read_clock(const std::function<void(Update)>& deliver, const std::stop_token& stop);

  const cluster::BusSettings settings_;
  // In order of creation; each member needs the ones above it.
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
  cluster::ClusterClock clock_;
  std::jthread clock_thread_;
};

}  // namespace submix::session
