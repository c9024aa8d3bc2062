// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "node/host/host_process.hpp"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace submix::host {

/// Starts a process's plugin hosts and reaps them. They end with it, however it ends: the kernel ends a host
/// when the thread that started it is gone, and that is this object's.
///
/// Threads  Synchronized; a thread of its own, "hosts".
/// Cost     start() does not wait for the program: hosts of many slots start side by side.
class HostKeeper {
 public:
  /// `program` is submix-plugin-host. Errors: it is not there, or there are no descriptors left.
  [[nodiscard]] static Result<std::unique_ptr<HostKeeper>> open(std::filesystem::path program);
  HostKeeper(const HostKeeper&) = delete;
  HostKeeper& operator=(const HostKeeper&) = delete;
  ~HostKeeper();  ///< kills and reaps all

  /// A host that starts soon; whether it could is seen by is_gone(). Errors: no memory or descriptors left.
  [[nodiscard]] Result<std::shared_ptr<HostProcess>> start(HostOrder order) SUBMIX_EXCLUDES(mutex_);

  /// Those that were asked for and are not yet reaped.
  [[nodiscard]] std::size_t hosts_alive() const { return hosts_alive_.load(std::memory_order_relaxed); }

 private:
  using Hosts = std::vector<std::shared_ptr<HostProcess>>;

  HostKeeper(std::filesystem::path program, Descriptor watch, Descriptor news);
  void run(const std::stop_token& stop);
  void start_waiting() SUBMIX_EXCLUDES(mutex_);
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
  mutable Mutex mutex_;
  Hosts waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::map<int, std::shared_ptr<HostProcess>> alive_ SUBMIX_GUARDED_BY(mutex_);  // by pidfd
  std::jthread thread_;                                                          // last: it uses all above
};

/// Where the program lies beside the one that runs now.
[[nodiscard]] std::filesystem::path host_program_beside_this();

}  // namespace submix::host
