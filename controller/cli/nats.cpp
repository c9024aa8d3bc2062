// SPDX-License-Identifier: GPL-3.0-or-later
// submix nats
#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/base/notify_socket.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/local/own_addresses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
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
  std::vector<std::string> addresses;
  for (const auto& address : local::own_addresses()) {
    if (host == kAll || !is_v6(address)) addresses.push_back(address);
  }
  return addresses.empty() ? std::vector<std::string>{"127.0.0.1"} : addresses;
}

// "nats://198.18.0.1:4222,nats://198.18.1.1:4222".
std::string urls_of(const std::vector<std::string>& addresses, std::uint16_t port) {
  std::vector<std::string> urls;
  for (const auto& address : addresses)
    urls.push_back("nats://" + to_string(HostPort{address, port}));
  return fmt::format("{}", fmt::join(urls, ","));
}

// The server would log a client without the key.
std::string url_with_key(const local::NatsServer& server,
                         const std::optional<cluster::ShowKey>& key) {
  constexpr std::string_view kScheme = "nats://";
  auto url = server.url();
  return key ? url.insert(kScheme.size(), key->nats_token() + "@") : url;
}

/// Waits for a signal or the server's end. The service manager hears of the server only while the
/// server answers. Returns the exit status of a server that ended by itself.
std::optional<int> watch(local::NatsServer& server, const std::string& url, StopSignal& stop) {
  using std::chrono::steady_clock;
  const auto manager = NotifySocket::of_environment();
  manager.send("READY=1");
  auto next_proof = steady_clock::now();
  while (!stop.wait_for(kServerLook)) {
    if (const auto status = server.process().exit_status()) return status;
    if (steady_clock::now() < next_proof) continue;
    if (cluster::is_reachable(url)) manager.send("WATCHDOG=1");
    next_proof = steady_clock::now() + kServerProof;
  }
  manager.send("STOPPING=1");
  return std::nullopt;
}

}  // namespace

int run_nats(Context& context, const NatsOptions& options) {
  StopSignal stop;
  auto key = read_key(context);
  if (!key) return failed(context, key.error().message);
  const auto folder =
      options.folder.empty() ? state_home() / "nats" : std::filesystem::path(options.folder);
  const auto host = host_of(options, key->has_value());
  auto server = local::NatsServer::start({folder, host, options.port, *key});
  if (!server) return failed(context, server.error().message);
  const auto url = urls_of(addresses_of(options, host), server->port());
  const auto key_part = context.key_file.empty() ? "" : fmt::format(" --key {}", context.key_file);
  context.out << fmt::format(
                     "NATS answers at {}; state and log are in {}\njoin it with: submix-node "
                     "--name NAME --nats "
                     "{}{}\nCtrl-C ends it; a show that runs goes on without it\n",
                     url, folder.string(), url, key_part)
              << std::flush;
  if (const auto status = watch(*server, url_with_key(*server, *key), stop)) {
    return failed(context, fmt::format("nats-server ended with status {}; its log is {}", *status,
                                       server->log_file().string()));
  }
  return kOk;
}

}  // namespace submix::cli
