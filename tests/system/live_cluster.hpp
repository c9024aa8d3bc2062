// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "common/base/clock.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/nats_server.hpp"
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

/// Real programs on loopback: a nats-server, nodes, and a session that sees what a controller sees.
/// All of them end with it.
class LiveCluster {
 public:
  LiveCluster();
  ~LiveCluster();

  void start_node(const std::string& name, const std::vector<std::string>& more_arguments = {});
  void end_node(const std::string& name, int signal);
  /// SIGSTOP and SIGCONT: a node that hangs for a while.
  void freeze_node(const std::string& name);
  void thaw_node(const std::string& name);
  /// It may open no file and take no connection beyond what it has now, until the limit is lifted again.
  void exhaust_descriptors_of(const std::string& name);
  void lift_descriptor_limit_of(const std::string& name);
  /// It may take `megabytes` more of memory than it has now.
  void limit_memory_of(const std::string& name, std::size_t megabytes);
  [[nodiscard]] bool is_node_alive(const std::string& name);
  [[nodiscard]] pid_t pid_of(const std::string& name) const { return nodes_.at(name).pid(); }
  /// What a node has written to its log.
  [[nodiscard]] std::string log_of(const std::string& name) const;

  /// Kills nats-server the hard way; start_nats() brings it back on its port with its store.
  void kill_nats();
  void start_nats();

  void apply(const std::string& toml);
  void set_paused(bool is_paused);
  void step();

  [[nodiscard]] std::shared_ptr<const model::ClusterView> view() const;
  static constexpr std::chrono::seconds kPatience{60};  // only a failing test waits so long
  /// Waits until `is_so` holds for a view, at most `patience`; false if it never did.
  [[nodiscard]] bool wait_until(const std::function<bool(const model::ClusterView&)>& is_so,
                                std::chrono::seconds patience = kPatience) const;
  /// Waits until every submix of the show runs and makes frames.
  [[nodiscard]] bool wait_until_all_run() const;
  /// Waits until no slot and no stream has counted a frame for a second of every node's readings, as in a
  /// pause.
  [[nodiscard]] bool wait_until_still() const;

  [[nodiscard]] cluster::Cluster& control() { return *cluster_; }
  [[nodiscard]] const std::string& nats_url() const { return nats_url_; }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

 private:
  void write_transport(const std::function<void(cluster::DesiredTransport&)>& change);

  TemporaryFolder folder_;
  SteadyClock clock_;
  std::optional<cluster::NatsServer> nats_;
  std::uint16_t nats_port_ = 0;
  std::string nats_url_;
  std::map<std::string, ChildProcess> nodes_;
  std::set<std::string> ended_;  // of those, by end_node()
  std::unique_ptr<cluster::Bus> bus_;
  std::unique_ptr<cluster::Cluster> cluster_;
  std::unique_ptr<session::Session> session_;
};

/// The counter of a slot, e.g. counter_of(view, "mix", "check-left", "lost"); empty while it is not known.
[[nodiscard]] std::optional<std::uint64_t> counter_of(const model::ClusterView& view,
                                                      std::string_view submix,
                                                      std::string_view slot,
                                                      std::string_view counter);
/// Frames that a slot has made; 0 while it is not known.
[[nodiscard]] std::uint64_t frames_of(const model::ClusterView& view, std::string_view submix,
                                      std::string_view slot);
/// Whether every stream is open by shared memory, and by nothing else.
[[nodiscard]] bool is_by_shared_memory(const model::ClusterView& view);

}  // namespace submix::testing
