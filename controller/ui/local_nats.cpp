// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/local_nats.hpp"

#include "common/base/log.hpp"
#include "common/cluster/address.hpp"

#include <cstdlib>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

constexpr std::uint16_t kUsualPort = 4222;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::filesystem::path state_folder() {
  const std::filesystem::path state = environment("XDG_STATE_HOME");
  if (state.is_absolute()) return state / "submix";
  return std::filesystem::path(environment("HOME")) / ".local/state/submix";
}

std::optional<cluster::NatsServer> start_nats_where_missing() {
  if (cluster::is_reachable(cluster::kDefaultUrl)) return std::nullopt;
  cluster::NatsServerSettings settings;
  settings.folder = state_folder() / "nats";
  settings.port = kUsualPort;
  auto server = cluster::NatsServer::start(std::move(settings));
  if (!server) {
    log::warning("NATS is not there and cannot be started: {}", server.error().message);
    return std::nullopt;
  }
  log::info("started nats-server at {}, its files are in {}", server->url(),
            (state_folder() / "nats").string());
  return std::move(*server);
}

}  // namespace submix::ui
