// SPDX-License-Identifier: GPL-3.0-or-later
// submix pause, submix resume, submix step
#include "controller/cli/commands.hpp"
#include "controller/cli/connection.hpp"

#include <fmt/format.h>

#include <functional>
#include <ostream>

namespace submix::cli {
namespace {

constexpr int kAttemptsMax = 10;  // against others who pause and step at the same time

using Change = std::function<Result<void>(cluster::DesiredTransport&)>;

Result<void> change_transport(cluster::Cluster& cluster, const Change& change, std::string_view command) {
  for (int attempt = 1;; ++attempt) {
    auto transport = cluster.transport();
    if (!transport) return tl::unexpected(transport.error());
    if (const auto changed = change(transport->value); !changed) return changed;
    transport->value.author = author(command);
    const auto written = cluster.put_transport(transport->value, transport->revision);
    if (written) return {};
    if (!written.error().is_conflict || attempt == kAttemptsMax) return fail("{}", written.error().message);
  }
}

int run_change(Context& context, const Change& change, std::string_view command, std::string_view done) {
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto changed = change_transport(connection->cluster(), change, command);
  if (!changed) return failed(context, changed.error().message);
  context.out << done << std::endl;
  return kOk;
}

Change pause(bool is_paused) {
  return [is_paused](cluster::DesiredTransport& transport) -> Result<void> {
    transport.is_paused = is_paused;
    return {};
  };
}

}  // namespace

int run_pause(Context& context, const PauseOptions&) {
  return run_change(context, pause(true), "pause", "paused");
}

int run_resume(Context& context, const PauseOptions&) {
  return run_change(context, pause(false), "resume", "running");
}

int run_step(Context& context, const StepOptions& options) {
  const auto step = [&](cluster::DesiredTransport& transport) -> Result<void> {
    if (!transport.is_paused)
      return fail("the show is not paused, so there is nothing to step; run: submix pause");
    transport.steps += options.frames;
    return {};
  };
  return run_change(context, step, "step",
                    fmt::format("{} frame{} on", options.frames, options.frames == 1 ? "" : "s"));
}

}  // namespace submix::cli
