// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/nats_access.hpp"

#include "common/base/clock.hpp"
#include "common/base/stoppable_sleep.hpp"
#include "common/base/thread.hpp"
#include "controller/session/media_copying.hpp"
#include "controller/session/node_check.hpp"
#include "controller/session/node_forgetting.hpp"

#include <chrono>
#include <stop_token>
#include <utility>

namespace submix::session {
namespace {

// A later picture is useless, and the window must close without a long wait.
constexpr std::chrono::milliseconds kPicturePatience{1000};
constexpr std::chrono::milliseconds kPluginsPatience{5000};  // the first time, a node probes them
constexpr std::chrono::milliseconds kMediaPatience{5000};
constexpr std::chrono::milliseconds kTracePatience{2000};  // for each part
constexpr std::chrono::seconds kClockPeriod{5};
// Until the cluster's clock is known, nothing can fade.
constexpr std::chrono::milliseconds kFirstClockPeriod{200};

constexpr const char* kNoConnection = "there is no connection";

tl::unexpected<Error> no_connection() {
  return fail(kNoConnection);
}

}  // namespace

void NatsAccess::start(std::function<void(Update)> deliver) {
  const auto say_state = [deliver, url = settings_.url](cluster::Bus::State state) {
    const bool is_lost = state == cluster::Bus::State::lost;
    const bool is_store_silent = state == cluster::Bus::State::store_silent;
    deliver(
        ConnectionUpdate{is_lost ? model::ConnectionState::lost : model::ConnectionState::connected,
                         url, is_store_silent});
  };
  auto settings = settings_;
  settings.on_rights = [deliver](cluster::Rights rights) { deliver(RightsUpdate{rights}); };
  auto bus = cluster::Bus::start(std::move(settings), say_state);
  if (!bus)
    return deliver(ConnectionUpdate{model::ConnectionState::connecting, bus.error().message});
  bus_ = std::move(*bus);
  cluster_ = std::make_unique<cluster::Cluster>(*bus_);
  subscribe(deliver);
  clock_thread_ = start_thread(
      "clock", [this, deliver](const std::stop_token& stop) { read_clock(deliver, stop); });
}

void NatsAccess::subscribe(const std::function<void(Update)>& deliver) {
  subscriptions_.push_back(cluster_->watch_gap_to_desk(
      "this PC", [deliver](const auto& gap) { deliver(VersionUpdate{gap}); }));
  subscriptions_.push_back(cluster_->watch_show(
      [deliver](const auto& show) { deliver(ShowUpdate{show.value, show.revision}); }));
  subscriptions_.push_back(
      cluster_->watch_good_show([deliver](const auto& show) { deliver(GoodShowUpdate{show}); }));
  subscriptions_.push_back(cluster_->watch_alerts_seen(
      [deliver](const auto& seen) { deliver(AlertsSeenUpdate{seen}); }));
  subscriptions_.push_back(cluster_->watch_transport(
      [deliver](const auto& transport) { deliver(TransportUpdate{transport}); }));
  subscriptions_.push_back(
      cluster_->watch_reports([deliver](const auto& report) { deliver(report); }));
  subscriptions_.push_back(
      cluster_->subscribe_readings([deliver](const auto& reading) { deliver(reading); }));
  subscriptions_.push_back(
      cluster_->subscribe_events([deliver](const auto& event) { deliver(event); }));
}

void NatsAccess::read_clock(const std::function<void(Update)>& deliver,
                            const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto read = clock_.measure(*cluster_, SteadyClock());
    const auto offset = clock_.offset();
    if (read && offset) deliver(ClockUpdate{*offset});
    const auto period = offset ? std::chrono::milliseconds(kClockPeriod) : kFirstClockPeriod;
    sleep_until(SteadyClock().now() + period, stop);
  }
}

void NatsAccess::stop() {
  clock_thread_ = {};
  subscriptions_.clear();
  cluster_.reset();
  bus_.reset();
}

NodeCheck NatsAccess::ask_nodes(const show::Show* before, const show::Show& after) {
  // Nothing can be written either; the write reports the reason.
  if (cluster_ == nullptr) return {};
  return check_on_nodes(*cluster_, before, after);
}

Result<std::chrono::nanoseconds> NatsAccess::show_time() {
  if (cluster_ == nullptr) return no_connection();
  const SteadyClock clock;
  if (!clock_.offset()) SUBMIX_TRY(clock_.measure(*cluster_, clock));
  return *clock_.time_at(clock.now());
}

WriteOutcome NatsAccess::write_show(const cluster::DesiredShow& show,
                                    std::uint64_t expected_revision) {
  if (cluster_ == nullptr) return {WriteOutcome::Kind::failed, 0, kNoConnection};
  const auto written = cluster_->put_show(show, expected_revision);
  if (written) return {WriteOutcome::Kind::accepted, *written, {}};
  const auto& error = written.error();
  return {error.is_conflict ? WriteOutcome::Kind::refused : WriteOutcome::Kind::failed, 0,
          error.message};
}

Result<void> NatsAccess::write_transport(const cluster::DesiredTransport& transport) {
  if (cluster_ == nullptr) return no_connection();
  // The later of two writes holds.
  const auto written = cluster_->put_transport(transport, std::nullopt);
  if (!written) return tl::unexpected(Error{written.error().message});
  return {};
}

Result<cluster::Snapshot> NatsAccess::take_snapshot(const std::string& node,
                                                    const cluster::Command& command) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_snapshot(node, command, kPicturePatience);
}

Result<std::vector<cluster::PluginSummary>> NatsAccess::list_plugins(const std::string& node) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_plugins(node, kPluginsPatience);
}

Result<cluster::MediaList> NatsAccess::list_media(const std::string& node) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_media(node);
}

Result<cluster::MediaPicture> NatsAccess::take_media_picture(const std::string& node,
                                                             const std::string& file, double at) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_media_picture(node, file, at, kMediaPatience);
}

Result<cluster::Snapshot> NatsAccess::take_effect_picture(const std::string& node,
                                                          const show::Port& slot,
                                                          const std::string& plugin) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_effect_picture(node, slot, plugin, kMediaPatience);
}

Result<void> NatsAccess::copy_media(const MediaOrigin& origin, const std::string& node,
                                    const std::string& name, const CopyWatch& go_on) {
  if (cluster_ == nullptr) return no_connection();
  return session::copy_media(*cluster_, origin, node, name, go_on);
}

Result<void> NatsAccess::change_alerts_seen(const std::vector<std::string>& seen,
                                            const std::vector<std::string>& over) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->change_alerts_seen(seen, over);
}

Result<void> NatsAccess::forget_node(const std::string& node) {
  if (cluster_ == nullptr) return no_connection();
  return session::forget_node(*cluster_, node);
}

Result<std::string> NatsAccess::take_trace(const std::string& node,
                                           std::chrono::seconds look_back) {
  if (cluster_ == nullptr) return no_connection();
  return cluster_->request_trace(node, look_back, kTracePatience);
}

}  // namespace submix::session
