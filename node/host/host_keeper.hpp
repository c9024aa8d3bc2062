// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "node/host/host_process.hpp"
#include "node/host/spare_hosts.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace submix::host {

/// Starts and reaps a node's plugin hosts and decoders. They end with the node, however the node
/// ends: the kernel ends a host when its starting thread ends, and that thread belongs to this
/// object.
///
/// Threads  Synchronized; has a thread of its own, "hosts".
/// Cost     start() does not wait for the program, so the hosts of many slots start side by side.
class HostKeeper {
 public:
  /// `program` is submix-plugin-host; the other programs lie in the same folder.
  ///
  /// Errors   The program is missing, or no descriptor is left.
  [[nodiscard]] static Result<std::unique_ptr<HostKeeper>> open(std::filesystem::path program);
  HostKeeper(const HostKeeper&) = delete;
  HostKeeper& operator=(const HostKeeper&) = delete;
  ~HostKeeper();  ///< kills and reaps every host

  /// A host that starts soon. If its start fails, is_gone() becomes true.
  ///
  /// Errors   No memory or descriptor is left.
  [[nodiscard]] Result<std::shared_ptr<HostProcess>> start(HostOrder order) SUBMIX_EXCLUDES(mutex_);

  /// Keeps a spare host for this order, ready to replace a host that ends (spare_hosts.hpp). Each
  /// call needs its own let_go_of_spare().
  void keep_spare(const HostOrder& order, const show::Parameters& parameters);
  void let_go_of_spare(const HostOrder& order) { spares_.let_go(order); }
  /// Replaces the order's spare, if it has one, by a new spare that loads the library again.
  void renew_spare(const HostOrder& order);
  /// Takes the order's spare, if it has one, and begins another spare. A caller uses it in place of
  /// start() when a host has ended.
  [[nodiscard]] BegunHost take_spare(const HostOrder& order);

  /// The slots, such as "left.glow", whose hosts have lost real-time scheduling for now: see
  /// HostProcess::tend_right(). Confined (telemetry).
  [[nodiscard]] std::vector<std::string> tend_rights(std::chrono::steady_clock::time_point now)
      SUBMIX_EXCLUDES(mutex_);
  /// Hosts requested and not yet reaped, spares included.
  [[nodiscard]] std::size_t hosts_alive() const {
    return hosts_alive_.load(std::memory_order_relaxed);
  }
  /// CPU time of all programs that this process started: the living hosts and the reaped programs.
  /// Never decreases.
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const SUBMIX_EXCLUDES(mutex_);

 private:
  using Hosts = std::vector<std::shared_ptr<HostProcess>>;

  HostKeeper(std::filesystem::path program, Descriptor watch, Descriptor news);
  void run(const std::stop_token& stop);
  void start_waiting() SUBMIX_EXCLUDES(mutex_);
  void start_spare() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::string path_of(HostProgram program) const;
  void spawn(const std::shared_ptr<HostProcess>& host) SUBMIX_EXCLUDES(mutex_);
  void watch_once();
  void finish(HostProcess& host, const std::string& end);
  void reap(int process) SUBMIX_EXCLUDES(mutex_);
  void end_all() SUBMIX_EXCLUDES(mutex_);
  void wake() const;

  const std::filesystem::path program_;
  const Descriptor watch_;                    // epoll: the hosts' pidfds, and `news_`
  const Descriptor news_;                     // eventfd: a host waits to be started, or stop
  std::atomic<std::size_t> hosts_alive_ = 0;  // relaxed: stands alone
  SpareHosts spares_;
  mutable Mutex mutex_;
  Hosts waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::map<int, std::shared_ptr<HostProcess>> alive_ SUBMIX_GUARDED_BY(mutex_);  // by pidfd
  mutable std::chrono::nanoseconds cpu_told_ SUBMIX_GUARDED_BY(mutex_){0};
  std::jthread thread_;  // last: it uses all members above
};

/// The path of submix-plugin-host (see private_program()).
[[nodiscard]] std::filesystem::path host_program();

}  // namespace submix::host
