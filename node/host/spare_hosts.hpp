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

/// A host whose first job has been asked for.
struct BegunHost {
  std::shared_ptr<HostProcess> process;  ///< null: there is none
  std::uint32_t first_job = 0;           ///< done: its plugin is loaded and made
  show::Parameters parameters;           ///< with these
};

/// Hosts that wait, confined and with their plugin made, for one of their slot to end: so that a crash costs
/// a hand-over and no start.
///
/// Shape    One for each order, however many plugins (a slot's helpers) want it. They are begun one after the
///          other, since each takes a core for a moment.
/// Threads  Synchronized; next(): Confined (keeper).
/// Cost     keep(), take(), let_go(): a short lock; what is begun is begun by who calls next().
/// Errors   One that cannot be begun, that ends by itself, or that is not ready in time is not tried again
///          until its slot's host has ended: then that start says why.
class SpareHosts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// How long one may take until it is ready; the next one waits for it.
  static constexpr std::chrono::seconds kPatience{10};

  /// One plugin more that wants a spare of `order`; `parameters` are all that its plugin is made with.
  void keep(const HostOrder& order, const show::Parameters& parameters) SUBMIX_EXCLUDES(mutex_);
  /// One less; the last one ends it.
  void let_go(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);
  /// Another one in place of the one that waits: its library may be another one by now.
  void renew(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);
  /// The one that waits, or begins just now; another one is wanted from here on.
  [[nodiscard]] BegunHost take(const HostOrder& order) SUBMIX_EXCLUDES(mutex_);

  /// The next one to be spawned; null: none is wanted, or the one before is not ready yet.
  [[nodiscard]] std::shared_ptr<HostProcess> next(Time now) SUBMIX_EXCLUDES(mutex_);
  /// Whether next() is to be asked again soon.
  [[nodiscard]] bool is_busy() const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Spare {
    HostOrder order;
    show::Parameters parameters;
    std::size_t users = 0;
    bool is_wanted = true;  // and not there
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
