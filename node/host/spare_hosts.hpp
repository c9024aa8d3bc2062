// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/show/document.hpp"
#include "node/host/host_process.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace submix::host {

/// A host whose first job has been requested.
struct BegunHost {
  std::shared_ptr<HostProcess> process;  ///< null: there is none
  std::uint32_t first_job = 0;           ///< when done, the plugin is loaded and made
  show::Parameters parameters;           ///< the plugin's parameters when made
};

/// Spare hosts: confined, with their plugin made, each waits to replace a host that ends. A crash
/// then costs a hand-over and no start.
///
/// Shape    One spare for each order, shared by all plugins of the order (a slot's helpers). Spares
///          are begun one after the other, since each takes a core for a moment.
/// Threads  Synchronized. next(): Confined (keeper).
/// Cost     keep(), take(), let_go(): a short lock. Only next() begins a spare.
/// Errors   A spare may fail to begin, end by itself, or not be ready in time. It is not tried
///          again until its slot's host has ended; that host's start then says why.
class SpareHosts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// How long a spare may take to become ready. The next spare waits for it.
  static constexpr std::chrono::seconds kTimeout{10};

  /// One more plugin wants a spare of `order`. The spare is made with `parameters`, which name
  /// every parameter.
  void keep(const HostOrder& order, const show::Parameters& parameters) SUBMIX_EXCLUDES(mutex_);
  /// One plugin fewer wants a spare. The last let_go() ends the spare.
  void let_go(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);
  /// Replaces the waiting spare by a new spare: its library may have changed.
  void renew(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);
  /// Takes the spare, which is ready or begins just now. A new spare is wanted from here on.
  [[nodiscard]] BegunHost take(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);

  /// The next spare to start. Null: no spare is wanted, or the one before is not ready yet.
  [[nodiscard]] std::shared_ptr<HostProcess> next(Time now) SUBMIX_EXCLUDES(mutex_);
  /// True while next() must be asked again soon.
  [[nodiscard]] bool is_busy() const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Spare {
    HostOrder order;
    show::Parameters parameters;
    std::size_t users = 0;
    bool is_wanted = true;  // and is not there yet
    BegunHost host = {};
    Time begun = {};
  };
  using Spares = std::vector<Spare>;

  [[nodiscard]] Spares::iterator find(const HostOrder& order) SUBMIX_REQUIRES(mutex_);
  [[nodiscard]] bool is_one_starting(Time now) SUBMIX_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Spares spares_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::host
