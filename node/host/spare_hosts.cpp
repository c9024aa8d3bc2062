// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/spare_hosts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace submix::host {

void SpareHosts::keep(const HostOrder& order, const show::Parameters& parameters) {
  const MutexLock lock(mutex_);
  auto found = find(order);
  if (found == spares_.end()) {
    found = spares_.insert(found, Spare{.order = order, .parameters = parameters});
    found->order.is_spare = true;
  }
  ++found->users;
}

void SpareHosts::let_go(const HostOrder& order) {
  const MutexLock lock(mutex_);
  const auto found = find(order);
  if (found == spares_.end() || --found->users > 0) return;
  if (found->host.process) found->host.process->kill();
  spares_.erase(found);
}

void SpareHosts::renew(const HostOrder& order) {
  const MutexLock lock(mutex_);
  const auto found = find(order);
  if (found == spares_.end()) return;
  if (found->host.process) found->host.process->kill();
  found->host = {};
  found->is_wanted = true;
}

BegunHost SpareHosts::take(const HostOrder& order) {
  const MutexLock lock(mutex_);
  const auto found = find(order);
  if (found == spares_.end()) return {};
  found->is_wanted = true;
  auto host = std::exchange(found->host, {});
  if (host.process && host.process->is_gone()) return {};
  return host;
}

// Prepares the spare without the lock: a slot whose host has just ended does not wait for it.
std::shared_ptr<HostProcess> SpareHosts::next(Time now) {
  std::optional<Spare> wanted;
  {
    const MutexLock lock(mutex_);
    if (is_one_starting(now)) return nullptr;
    const auto found = std::find_if(spares_.begin(), spares_.end(),
                                    [](const Spare& each) { return each.is_wanted; });
    if (found == spares_.end()) return nullptr;
    found->is_wanted = false;
    wanted = *found;
  }
  auto prepared = HostProcess::prepare(wanted->order);
  const auto first_job =
      prepared ? (*prepared)->ask_to_begin(wanted->parameters) : tl::unexpected(prepared.error());
  if (!first_job) return nullptr;
  const MutexLock lock(mutex_);
  const auto found = find(wanted->order);
  if (found == spares_.end()) return nullptr;  // nobody wants it any more
  found->host = {*prepared, *first_job, std::move(wanted->parameters)};
  found->begun = now;
  found->is_wanted = false;
  return *prepared;
}

bool SpareHosts::is_busy() const {
  const MutexLock lock(mutex_);
  return std::any_of(spares_.begin(), spares_.end(), [](const Spare& each) {
    return each.is_wanted ||
           (each.host.process && !each.host.process->has_answered(each.host.first_job) &&
            !each.host.process->is_gone());
  });
}

SpareHosts::Spares::iterator SpareHosts::find(const HostOrder& order) {
  return std::find_if(spares_.begin(), spares_.end(), [&](const Spare& each) {
    return each.order.slot == order.slot && each.order.file == order.file &&
           each.order.size == order.size;
  });
}

bool SpareHosts::is_one_starting(Time now) {
  bool is_one = false;
  for (auto& [order, parameters, users, is_wanted, host, begun] : spares_) {
    if (!host.process || host.process->has_answered(host.first_job)) continue;
    if (host.process->is_gone()) {
      host = {};
    } else if (now - begun >= kTimeout) {
      host.process->kill();
      host = {};
    } else {
      is_one = true;
    }
  }
  return is_one;
}

}  // namespace submix::host
