// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/cluster_connection.hpp"

#include "common/cluster/followed_key.hpp"
#include "common/cluster/membership.hpp"

#include <utility>

namespace submix::cli {

Result<std::optional<cluster::ShowKey>> read_key(const Context& context) {
  if (context.key_file.empty()) return std::nullopt;
  auto key = cluster::ShowKey::read(context.key_file);
  SUBMIX_TRY(key);
  return *key;
}

bool needs_telling(const std::string& url) {
  if (url != cluster::kDefaultUrl) return true;
  const auto membership = cluster::read_membership();
  return !membership || *membership;
}

Result<ClusterConnection> ClusterConnection::open(const Context& context,
                                                  cluster::Bus::StateCallback on_state,
                                                  std::chrono::milliseconds patience) {
  auto key = read_key(context);
  SUBMIX_TRY(key);
  auto bus = cluster::Bus::connect({context.url, "submix", *std::move(key), patience,
                                    cluster::FollowedKey::of(context.key_file, {})},
                                   std::move(on_state));
  SUBMIX_TRY(bus);
  ClusterConnection connection(context.url, *std::move(bus));
  if (const auto gap = connection.cluster().gap_to_desk("this PC"); !gap.empty())
    return fail("{}", gap);
  return connection;
}

ClusterConnection::ClusterConnection(std::string url, std::unique_ptr<cluster::Bus> bus)
    : url_(std::move(url)),
      bus_(std::move(bus)),
      cluster_(std::make_unique<cluster::Cluster>(*bus_)) {}

}  // namespace submix::cli
