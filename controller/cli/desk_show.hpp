// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/pairing/desk_description.hpp"

#include <memory>
#include <string>
#include <vector>

namespace submix::cli {

/// Follows which show the desk has and whether it is paused, for the desk's notice.
///
/// Threads  Synchronized. The bus follows a new key by itself.
class DeskShow {
 public:
  /// Null: the server does not answer.
  [[nodiscard]] static std::unique_ptr<DeskShow> watch(cluster::BusSettings settings);
  DeskShow(const DeskShow&) = delete;
  DeskShow& operator=(const DeskShow&) = delete;
  ~DeskShow() = default;

  [[nodiscard]] pairing::DeskDescription now() const SUBMIX_EXCLUDES(mutex_);

 private:
  explicit DeskShow(std::unique_ptr<cluster::Bus> bus);
  void on_show(const cluster::DesiredShow& show) SUBMIX_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  std::string name_ SUBMIX_GUARDED_BY(mutex_);
  pairing::ShowState state_ SUBMIX_GUARDED_BY(mutex_) = pairing::ShowState::none;
  bool is_paused_ SUBMIX_GUARDED_BY(mutex_) = false;
  std::unique_ptr<cluster::Bus> bus_;
  cluster::Cluster cluster_;
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;  // end first
};

}  // namespace submix::cli
