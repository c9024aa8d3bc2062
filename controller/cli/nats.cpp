// SPDX-License-Identifier: GPL-3.0-or-later
// submix nats
#include "common/cluster/nats_server.hpp"

#include "common/base/files.hpp"
#include "common/base/stop_signal.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/connection.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kLookInterval{200};

}  // namespace

int run_nats(Context& context, const NatsOptions& options) {
  StopSignal stop;
  auto key = read_key(context);
  if (!key) return failed(context, key.error().message);
  const auto folder = options.folder.empty() ? state_home() / "nats" : std::filesystem::path(options.folder);
  auto server = cluster::NatsServer::start({folder, options.listen, options.port, *key});
  if (!server) return failed(context, server.error().message);
  const bool is_everywhere = options.listen == "0.0.0.0" || options.listen == "::";
  const auto url = fmt::format("nats://{}:{}", is_everywhere ? "ADDRESS" : options.listen, server->port());
  const auto key_part = context.key_file.empty() ? "" : fmt::format(" --key {}", context.key_file);
  context.out
      << fmt::format(
             "NATS answers at {}; state and log are in {}\njoin it with: submix-node --name NAME --nats "
             "{}{}\nCtrl-C ends it; a show that runs goes on without it\n",
             url, folder.string(), url, key_part)
      << std::flush;
  while (!stop.wait_for(kLookInterval)) {
    if (const auto status = server->process().exit_status()) {
      return failed(context, fmt::format("nats-server ended with status {}; its log is {}", *status,
                                         server->log_file().string()));
    }
  }
  return kOk;
}

}  // namespace submix::cli
