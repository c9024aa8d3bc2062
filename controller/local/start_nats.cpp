// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/start_nats.hpp"

#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/reachable.hpp"

#include <utility>

namespace submix::local {

Result<NatsServer> start_nats_where_free(const std::filesystem::path& folder) {
  if (!cluster::is_reachable(cluster::kDefaultUrl)) {
    auto server = NatsServer::start({.folder = folder, .port = kDefaultNatsPort});
    if (server) return server;
  }
  return NatsServer::start({.folder = folder});
}

std::optional<NatsServer> start_nats_where_missing(const std::optional<cluster::ShowKey>& key,
                                                   std::vector<NatsUser> users) {
  if (cluster::is_reachable(cluster::kDefaultUrl, key)) return std::nullopt;
  const auto folder = state_home() / "nats";
  auto server = NatsServer::start({.folder = folder,
                                   .listen = key ? "0.0.0.0" : "127.0.0.1",
                                   .port = kDefaultNatsPort,
                                   .key = key,
                                   .users = std::move(users)});
  if (!server) {
    log::warning("NATS is not there and cannot be started: {}", server.error().message);
    return std::nullopt;
  }
  log::info("started nats-server at {}, its files are in {}", server->url(), folder.string());
  return std::move(*server);
}

}  // namespace submix::local
