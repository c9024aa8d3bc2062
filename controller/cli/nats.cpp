// SPDX-License-Identifier: GPL-3.0-or-later
// submix nats
#include "common/base/stop_signal.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/nats_serving.hpp"

#include <fmt/format.h>

#include <ostream>

namespace submix::cli {

int run_nats(Context& context, const NatsOptions& options) {
  StopSignal stop;
  const auto key = context.key_file.empty() ? key_of_own_desk() : read_key(context);
  if (!key) return failed(context, key.error().message);
  auto serving = NatsServing::start(options, *key);
  if (!serving) return failed(context, serving.error().message);
  const auto url = urls_of(options, key->has_value(), serving->port());
  const auto key_part =
      context.key_file.empty() ? "" : fmt::format(" --key {}", context.key_file.string());
  context.out << fmt::format(
                     "NATS answers at {}; state and log are in {}\njoin it with: submix-node "
                     "--name NAME --nats "
                     "{}{}\nCtrl-C ends it; a show that runs goes on without it\n",
                     url, serving->folder().string(), url, key_part)
              << std::flush;
  const auto ended = serving->watch(stop);
  return ended ? kOk : failed(context, ended.error().message);
}

}  // namespace submix::cli
