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

/// Starts a process's plugin hosts and decoders, and reaps them. They end with it, however it ends: the
/// kernel ends a host when the thread that started it is gone, and that is this object's.
///
/// Threads  Synchronized; a thread of its own, "hosts".
/// Cost     start() does not wait for the program: hosts of many slots start side by side.
class HostKeeper {
 public:
  /// `program` is submix-plugin-host; submix-decoder lies beside it. Errors: it is not there, or there are no
  /// descriptors left.
  [[nodiscard]] static Result<std::unique_ptr<HostKeeper>> open(std::filesystem::path program);
  HostKeeper(const HostKeeper&) = delete;
  HostKeeper& operator=(const HostKeeper&) = delete;
  ~HostKeeper();  ///< kills and reaps all

  /// A host that starts soon; whether it could is seen by is_gone(). Errors: no memory or descriptors left.
  [[nodiscard]] Result<std::shared_ptr<HostProcess>> start(HostOrder order) SUBMIX_EXCLUDES(mutex_);

  /// From now on a host waits for one of this order to end (spare_hosts.hpp), until as many let go of it.
  void keep_spare(const HostOrder& order, const show::Parameters& parameters);
  void let_go_of_spare(const HostOrder& order) { spares_.let_go(order); }
  /// The one that waits, if there is one, gives way to another, which loads the library anew.
  void renew_spare(const HostOrder& order);
  /// In place of start(), after an end: the one that waits, if there is one. Another one is begun.
  [[nodiscard]] BegunHost take_spare(const HostOrder& order);

  /// The slots, "left.glow", whose hosts have lost real-time scheduling for now: HostProcess::tend_right().
  /// Confined (telemetry).
  [[nodiscard]] std::vector<std::string> tend_rights(std::chrono::steady_clock::time_point now)
      SUBMIX_EXCLUDES(mutex_);
  /// Those that were asked for and are not yet reaped; spares, too.
  [[nodiscard]] std::size_t hosts_alive() const {
    return hosts_alive_.load(std::memory_order_relaxed);
  }
  /// Of all programs that this process started: hosts that live, and what is reaped. Never less than before.
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
  const Descriptor news_;                     // eventfd: somebody waits to be started, or stop
  std::atomic<std::size_t> hosts_alive_ = 0;  // relaxed: stands alone
  SpareHosts spares_;
  mutable Mutex mutex_;
  Hosts waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::map<int, std::shared_ptr<HostProcess>> alive_ SUBMIX_GUARDED_BY(mutex_);  // by pidfd
  mutable std::chrono::nanoseconds cpu_told_ SUBMIX_GUARDED_BY(mutex_){0};
  std::jthread thread_;  // last: it uses all above
};

/// Where the program lies beside the one that runs now.
[[nodiscard]] std::filesystem::path host_program_beside_this();

}  // namespace submix::host
