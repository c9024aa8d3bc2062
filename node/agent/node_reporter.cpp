// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_reporter.hpp"

#include "common/base/host_name.hpp"
#include "common/base/log.hpp"
#include "common/base/version.hpp"
#include "common/link/cards/interfaces.hpp"
#include "node/agent/cards_in_use.hpp"
#include "node/io/camera/loopback_camera.hpp"
#include "node/io/capture/capture_device.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace submix::agent {
namespace {

// Nodes whose reports are kept: everybody with the key may invent names.
constexpr std::size_t kNodesMax = 1024;

/// A secret that only the two PCs with these identities can compute. Empty: `other` is no identity.
std::optional<wire::Key> stream_secret(const cluster::Identity& own, const std::string& other) {
  const auto key = cluster::parse_public_key(other);
  if (!key) return std::nullopt;
  return cluster::parse_public_key(own.secret_with(*key, "submix streams"));  // written alike
}

}  // namespace

bool NodeReporter::take(const cluster::NodeReport& report, std::uint64_t revision) {
  if (!identities_.contains(report.node) && identities_.size() >= kNodesMax) return false;
  hear_identity(report);

  auto& streams = *parts_.streams;
  streams.set_endpoints(report.node, report.endpoints, report.local_endpoint);
  streams.set_running(report.node, report.submixes);
  hear_epoch(report);
  if (!has_met_namesake_)
    streams.set_epoch_report(report.node, {report.epoch, report.show_revision});
  check_for_namesake(report, revision);
  return true;
}

// A report older than this node's own last report may stem from this node's earlier life. The
// namesake learns of this node from this node's report, which is sent again.
void NodeReporter::check_for_namesake(const cluster::NodeReport& report, std::uint64_t revision) {
  const auto& name = parts_.options.name;
  const bool is_namesake = report.node == name && report.instance != parts_.instance;
  const bool is_newer = reported_revision_ != 0 && revision > reported_revision_;
  if (!is_namesake || !is_newer || has_met_namesake_) return;

  has_met_namesake_ = true;
  repeat();
  parts_.events.report(
      Severity::fault, name,
      fmt::format("another node with this name runs on {}; give one of them another --name",
                  report.host));
}

void NodeReporter::hear_epoch(const cluster::NodeReport& report) {
  parts_.epochs.hear(report.epoch);
  if (parts_.epochs.is_believable(report.epoch) || std::exchange(has_heard_absurd_epoch_, true))
    return;
  log::warning(
      "the report of node \"{}\" has epoch {}, far ahead of this machine's clock: this epoch is "
      "ignored, and others like it; is its clock right?",
      report.node, report.epoch);
}

// Called before set_endpoints(): the first link to that node needs the secret of both PCs, too.
void NodeReporter::hear_identity(const cluster::NodeReport& report) {
  const auto [known, is_new] = identities_.try_emplace(report.node, report.identity);
  if (!is_new && known->second == report.identity) return;
  known->second = report.identity;
  if (parts_.identity)
    parts_.data_plane->set_partner(report.node, stream_secret(*parts_.identity, report.identity));
}

void NodeReporter::report(std::uint64_t show_revision) {
  auto report = present_report(show_revision);
  if (report == reported_ || !parts_.bus->is_connected()) return;

  const auto put = parts_.cluster.put_report(report);
  if (!put) return;
  reported_ = std::move(report);
  reported_revision_ = *put;
}

cluster::NodeReport NodeReporter::present_report(std::uint64_t show_revision) {
  cluster::NodeReport report;
  report.node = parts_.options.name;
  report.host = host_name();
  if (parts_.identity) report.identity = cluster::to_text(parts_.identity->public_key());
  report.version = version();
  report.instance = parts_.instance;
  report.cores = static_cast<int>(std::thread::hardware_concurrency());
  report.show_revision = show_revision;

  const auto in_use = addresses_in_use(parts_.streams->readings());
  report.interfaces = link::list_interfaces();
  keep_most_used(report.interfaces, in_use);
  link::add_speeds(report.interfaces);
  report.endpoints = parts_.data_plane->endpoints();
  keep_most_used(report.endpoints, in_use);
  link::add_speeds(report.endpoints, report.interfaces);
  report.local_endpoint = parts_.data_plane->local_endpoint();

  report.submixes = parts_.submixes->reports();
  const auto moved = parts_.submixes->reports_of_moved();
  report.submixes.insert(report.submixes.end(), moved.begin(), moved.end());

  parts_.epochs.meet(parts_.streams->greatest_epoch_met());
  report.epoch = parts_.epochs.to_be_told();
  report.displays = parts_.displays->list();
  const auto cameras = io::find_cameras();
  report.capture_devices = io::capture_devices(cameras);
  report.loopback_devices = io::loopback_devices(cameras);
  report.sound_devices = parts_.sound.devices();
  return report;
}

}  // namespace submix::agent
