// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/local_nats.hpp"

#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/cluster/address.hpp"

#include <string>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::uint16_t kUsualPort = 4222;

}  // namespace

std::optional<cluster::NatsServer> start_nats_where_missing() {
  if (cluster::is_reachable(cluster::kDefaultUrl)) return std::nullopt;
  cluster::NatsServerSettings settings;
  settings.folder = state_home() / "nats";
  settings.port = kUsualPort;
  auto server = cluster::NatsServer::start(std::move(settings));
  if (!server) {
    log::warning("NATS is not there and cannot be started: {}", server.error().message);
    return std::nullopt;
  }
  log::info("started nats-server at {}, its files are in {}", server->url(),
            (state_home() / "nats").string());
  return std::move(*server);
}

}  // namespace submix::ui
