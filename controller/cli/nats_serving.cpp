// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/nats_serving.hpp"

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/base/notify_socket.hpp"
#include "common/cluster/bus.hpp"
#include "controller/local/own_addresses.hpp"
#include "controller/pairing/own_desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kServerLook{200};
constexpr std::chrono::seconds kServerProof{2};
constexpr const char* kAllIpv4 = "0.0.0.0";
constexpr const char* kAll = "::";

bool is_v6(const std::string& address) {
  return address.find(':') != std::string::npos;
}

// nats-server listens at one address or at all.
std::string host_of(const NatsOptions& options, bool has_key) {
  if (options.listen.empty()) return has_key ? kAllIpv4 : "127.0.0.1";
  if (options.listen.size() == 1) return options.listen.front();
  return std::ranges::any_of(options.listen, is_v6) ? kAll : kAllIpv4;
}

// The server's addresses for other programs: the given addresses, else those of all cards.
std::vector<std::string> addresses_of(const NatsOptions& options, const std::string& host) {
  if (host != kAllIpv4 && host != kAll) return {host};
  if (options.listen.size() > 1) return options.listen;
  auto addresses = host == kAll ? local::own_addresses() : local::own_ipv4_addresses();
  return addresses.empty() ? std::vector<std::string>{"127.0.0.1"} : addresses;
}

}  // namespace

std::string urls_of(const NatsOptions& options, bool has_key, std::uint16_t port,
                    const std::string& first) {
  return local::nats_urls(addresses_of(options, host_of(options, has_key)), port, first);
}

std::string local_url_of(const NatsOptions& options, std::uint16_t port) {
  const auto host = options.listen.size() == 1 ? options.listen.front() : "127.0.0.1";
  return local::local_url(host, port);
}

std::filesystem::path folder_of(const NatsOptions& options) {
  return std::filesystem::absolute(options.folder.empty() ? state_home() / "nats"
                                                          : std::filesystem::path(options.folder));
}

Result<NatsServing> NatsServing::start(const NatsOptions& options,
                                       const std::optional<cluster::ShowKey>& key) {
  const auto folder = folder_of(options);
  auto users = pairing::ServerUsers::of_own_desk(key);
  SUBMIX_TRY(users);
  auto server = local::NatsServer::start(
      {folder, host_of(options, key.has_value()), options.port, key, users->at_start()});
  SUBMIX_TRY(server);
  return NatsServing(*std::move(server), *std::move(users), folder, key);
}

Result<void> NatsServing::watch(StopSignal& stop, const std::function<void()>& look) {
  using std::chrono::steady_clock;
  const auto manager = NotifySocket::of_environment();
  const auto bus = cluster::Bus::start(pairing::own_settings(server_.url(), key_));
  SUBMIX_TRY(bus);
  manager.send("READY=1");
  auto next_proof = steady_clock::now();
  while (!stop.wait_for(kServerLook)) {
    if (const auto status = server_.process().exit_status()) {
      return fail("nats-server ended with status {}; its log is {}", *status,
                  server_.log_file().string());
    }
    users_.look(LocalTime::clock::now(), folder_);
    look();
    if (steady_clock::now() < next_proof) continue;
    if ((*bus)->is_connected()) manager.send("WATCHDOG=1");
    next_proof = steady_clock::now() + kServerProof;
  }
  manager.send("STOPPING=1");
  return {};
}

}  // namespace submix::cli
