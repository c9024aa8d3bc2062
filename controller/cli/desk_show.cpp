// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/desk_show.hpp"

#include "common/base/host_name.hpp"
#include "common/show/parse.hpp"

#include <utility>

namespace submix::cli {

using pairing::ShowState;

std::unique_ptr<DeskShow> DeskShow::watch(cluster::BusSettings settings) {
  auto bus = cluster::Bus::connect(std::move(settings));
  return bus ? std::unique_ptr<DeskShow>(new DeskShow(*std::move(bus))) : nullptr;
}

DeskShow::DeskShow(std::unique_ptr<cluster::Bus> bus) : bus_(std::move(bus)), cluster_(*bus_) {
  subscriptions_.push_back(cluster_.watch_show([this](const auto& show) { on_show(show.value); }));
  subscriptions_.push_back(cluster_.watch_transport([this](const auto& transport) {
    const MutexLock lock(mutex_);
    is_paused_ = transport.is_paused;
  }));
}

void DeskShow::on_show(const cluster::DesiredShow& show) {
  const auto parsed = show::parse(show.toml, "the cluster's show");
  const bool is_empty = parsed && parsed->submixes.empty();
  const MutexLock lock(mutex_);
  name_ = parsed ? parsed->name : "";
  state_ = !parsed ? ShowState::untold : is_empty ? ShowState::none : ShowState::running;
}

pairing::DeskDescription DeskShow::now() const {
  const MutexLock lock(mutex_);
  const bool is_paused = is_paused_ && state_ == ShowState::running;
  return {host_name(), name_, is_paused ? ShowState::paused : state_};
}

}  // namespace submix::cli
