// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/clock.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/session/session.hpp"
#include "tests/support/temporary_folder.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace submix::testing {

/// Real programs on loopback: a nats-server, nodes, and a controller's session. The destructor ends
/// all.
class LiveCluster {
 public:
  LiveCluster();
  ~LiveCluster();

  void start_node(const std::string& name, const std::vector<std::string>& more_arguments = {});
  void end_node(const std::string& name, int signal);
  /// SIGSTOP and SIGCONT: the node hangs for a while.
  void freeze_node(const std::string& name);
  void thaw_node(const std::string& name);
  /// The node can open no further file or connection until the limit is lifted.
  void exhaust_descriptors_of(const std::string& name);
  void lift_descriptor_limit_of(const std::string& name);
  /// The node can take only `megabytes` more memory than it has now.
  void limit_memory_of(const std::string& name, std::size_t megabytes);
  [[nodiscard]] bool is_node_alive(const std::string& name);
  [[nodiscard]] pid_t pid_of(const std::string& name) const { return nodes_.at(name).pid(); }
  /// The log of a node.
  [[nodiscard]] std::string log_of(const std::string& name) const;

  /// Kills nats-server by SIGKILL; start_nats() starts it again on its port with its store.
  void kill_nats();
  void start_nats();

  void apply(const std::string& toml);
  void set_paused(bool is_paused);
  void step();

  [[nodiscard]] std::shared_ptr<const model::ClusterView> view() const;
  /// A view that contains all readings up to now; nodes send ten a second.
  [[nodiscard]] std::shared_ptr<const model::ClusterView> view_of_now() const;
  static constexpr std::chrono::seconds kPatience{60};  // only a failing test waits so long
  /// Waits up to `patience` until `is_so` holds for a view; false if it never held.
  [[nodiscard]] bool wait_until(const std::function<bool(const model::ClusterView&)>& is_so,
                                std::chrono::seconds patience = kPatience) const;
  /// Waits until every submix of the show makes frames.
  [[nodiscard]] bool wait_until_all_run() const;
  /// Waits until all nodes' readings of one second count no frame, as in a pause.
  [[nodiscard]] bool wait_until_still() const;

  [[nodiscard]] cluster::Cluster& control() { return *cluster_; }
  [[nodiscard]] const std::string& nats_url() const { return nats_url_; }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

 private:
  void write_transport(const std::function<void(cluster::DesiredTransport&)>& change);

  TemporaryFolder folder_;
  SteadyClock clock_;
  std::optional<local::NatsServer> nats_;
  std::uint16_t nats_port_ = 0;
  std::string nats_url_;
  std::map<std::string, ChildProcess> nodes_;
  std::set<std::string> ended_;  // nodes that end_node() has ended
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;
  std::unique_ptr<session::Session> session_;
};

/// A counter of a slot, e.g. counter_of(view, "mix", "check-left", "lost"); empty while unknown.
[[nodiscard]] std::optional<std::uint64_t> counter_of(const model::ClusterView& view,
                                                      std::string_view submix,
                                                      std::string_view slot,
                                                      std::string_view counter);
/// Frames that a slot has made; 0 while unknown.
[[nodiscard]] std::uint64_t frames_of(const model::ClusterView& view, std::string_view submix,
                                      std::string_view slot);
/// Whether every stream uses shared memory only.
[[nodiscard]] bool is_by_shared_memory(const model::ClusterView& view);

}  // namespace submix::testing
