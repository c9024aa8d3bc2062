// SPDX-License-Identifier: GPL-3.0-or-later
// submix nats
#include "common/base/stop_signal.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/nats_serving.hpp"
#include "controller/local/publish_desk.hpp"
#include "controller/pairing/own_desk.hpp"

#include <fmt/format.h>

#include <ostream>
#include <string>

namespace submix::cli {
namespace {

std::string key_part(const Context& context) {
  return context.key_file.empty() ? "" : fmt::format(" --key {}", context.key_file.string());
}

}  // namespace

int run_nats(Context& context, const NatsOptions& options) {
  StopSignal stop;
  const auto key = context.key_file.empty() ? pairing::key_of_own_desk() : read_key(context);
  if (!key) return failed(context, key.error().message);
  auto serving = NatsServing::start(options, *key);
  if (!serving) return failed(context, serving.error().message);
  local::publish_desk(pairing::own_settings(local_url_of(options, serving->port()), *key));
  const auto url = urls_of(options, key->has_value(), serving->port());
  const auto how = context.key_file.empty() && *key
                       ? "submix-node --name NAME, where submix join was done"
                       : fmt::format("submix-node --name NAME --nats {}{}", url, key_part(context));
  context.out << fmt::format(
                     "NATS answers at {}; state and log are in {}\njoin it with: {}\n"
                     "Ctrl-C ends it; a show that runs goes on without it\n",
                     url, serving->folder().string(), how)
              << std::flush;
  const auto ended = serving->watch(stop);
  return ended ? kOk : failed(context, ended.error().message);
}

}  // namespace submix::cli
