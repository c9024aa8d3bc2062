// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/observer.hpp"

#include "common/show/parse.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kReadingsLook{20};
constexpr double kMeasuredSeconds = 0.9;  // ten readings a second, one of them late

// While nothing runs, two readings tell how busy each PC is.
bool is_measured(const model::ClusterView& view) {
  const double wanted = view.submixes.empty() ? 0 : kMeasuredSeconds;
  return std::ranges::all_of(view.nodes, [wanted](const model::NodeView& node) {
    return node.health != model::Health::healthy ||
           (node.measured_seconds > 0 && node.measured_seconds >= wanted);
  });
}

// Nodes are listed as soon as their reports come, and no other node is to be waited for.
bool is_each_heard(const model::ClusterView& view) {
  return !view.nodes.empty() && std::ranges::all_of(view.nodes, [](const model::NodeView& node) {
    return node.measured_seconds > 0;
  });
}

}  // namespace

Result<std::unique_ptr<Observer>> Observer::start(const Context& context) {
  std::unique_ptr<Observer> observer(new Observer());
  observer->url_ = context.url;
  auto connection = ClusterConnection::open(
      context, [self = observer.get()](cluster::Bus::State state) { self->on_state(state); });
  SUBMIX_TRY(connection);
  observer->connection_.emplace(*std::move(connection));
  observer->read_show();
  observer->subscribe();
  return observer;
}

void Observer::read_show() {
  const auto desired = connection_->cluster().show();
  if (desired && desired->revision > 0) return on_show(*desired);
  if (desired || connection_->bus().is_store_silent()) return;
  MutexLock lock(mutex_);
  model_.set_show(nullptr, 0, "", desired.error().message);
}

void Observer::subscribe() {
  auto& cluster = connection_->cluster();
  subscriptions_.push_back(cluster.watch_show([this](const auto& show) { on_show(show); }));
  subscriptions_.push_back(
      cluster.watch_good_show([this](const auto& show) { on_good_show(show); }));
  subscriptions_.push_back(cluster.watch_transport([this](const auto& transport) {
    MutexLock lock(mutex_);
    model_.set_transport(transport);
  }));
  subscriptions_.push_back(cluster.watch_reports([this](const auto& report) { accept(report); }));
  subscriptions_.push_back(
      cluster.subscribe_readings([this](const auto& reading) { accept(reading); }));
  subscriptions_.push_back(cluster.subscribe_events([this](const auto& event) { accept(event); }));
}

void Observer::on_state(cluster::Bus::State state) {
  const bool is_connected = state != cluster::Bus::State::lost;
  MutexLock lock(mutex_);
  model_.set_connection(
      is_connected ? model::ConnectionState::connected : model::ConnectionState::lost, url_,
      clock_.now());
}

void Observer::on_show(const cluster::Revisioned<cluster::DesiredShow>& desired) {
  auto parsed = show::parse(desired.value.toml, "the cluster's show");
  std::shared_ptr<const show::Show> show;
  std::string error;
  if (parsed) {
    show = std::make_shared<const show::Show>(*std::move(parsed));
  } else {
    error = to_string(parsed.error());
  }
  MutexLock lock(mutex_);
  model_.set_show(std::move(show), desired.revision, desired.value.author, std::move(error));
}

// An unreadable show is of a newer version: no way back then.
void Observer::on_good_show(const cluster::DesiredShow& good) {
  auto parsed = show::parse(good.toml, "the last good show");
  auto show = parsed ? std::make_shared<const show::Show>(*std::move(parsed)) : nullptr;
  MutexLock lock(mutex_);
  good_show_ = std::move(show);
}

model::ClusterView Observer::measured_view() {
  const auto begin = clock_.now();
  while (true) {
    auto known = view();
    const auto observed = clock_.now() - begin;
    const bool is_all_known = observed >= kFirstReadings || is_each_heard(known);
    if (observed >= kObservation || (is_all_known && is_measured(known))) {
      return view_with_silences();
    }
    std::this_thread::sleep_for(kReadingsLook);
  }
}

void Observer::ask_for_silences(const model::ClusterView& view) {
  if (is_store_silent()) return;

  for (const auto& node : view.nodes) {
    if (node.is_silence_complete) continue;
    const auto silence = cluster().silence_of(node.name);
    if (!silence || !*silence) continue;  // a node of an earlier version, or no answer
    MutexLock lock(mutex_);
    model_.accept_sign_of_life(node.name, clock_.now() - **silence);
  }
}

model::ClusterView Observer::view_with_silences() {
  ask_for_silences(view());
  return view();
}

model::ClusterView Observer::view() {
  MutexLock lock(mutex_);
  const auto now = clock_.now();
  model_.set_store_silent(connection_->bus().is_store_silent());
  model_.advance(now);
  auto view = model_.view(now);
  view.good_show = good_show_;
  return view;
}

}  // namespace submix::cli
