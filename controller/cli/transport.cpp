// SPDX-License-Identifier: GPL-3.0-or-later
// submix pause, submix resume, submix step, submix blackout, submix freeze
#include "common/base/stop_signal.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/transport_writing.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <ostream>
#include <string>

namespace submix::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kSwitchAttemptsMax = 10;  // against others who pause and step at the same time

using TransportChange = std::function<Result<void>(cluster::DesiredTransport&)>;

Result<void> change_transport(cluster::Cluster& cluster, const TransportChange& change,
                              std::string_view command) {
  for (int attempt = 1;; ++attempt) {
    auto transport = cluster.transport();
    SUBMIX_TRY(transport);
    if (const auto changed = change(transport->value); !changed) return changed;
    transport->value.author = author(command);
    const auto written = cluster.put_transport(transport->value, transport->revision);
    if (written) return {};
    if (!written.error().is_conflict || attempt == kSwitchAttemptsMax)
      return fail("{}", written.error().message);
  }
}

int run_change(Context& context, cluster::Cluster& cluster, const TransportChange& change,
               std::string_view command, std::string_view done) {
  const auto changed = change_transport(cluster, change, command);
  if (!changed) return failed(context, changed.error().message);
  context.out << done << std::endl;
  return kOk;
}

int run_change(Context& context, const TransportChange& change, std::string_view command,
               std::string_view done) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  return run_change(context, connection->cluster(), change, command, done);
}

// Without a show there is no output, and the order would wait for the next show.
int run_output_change(Context& context, const TransportChange& change, std::string_view command,
                      std::string_view done) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto desired = connection->cluster().show();
  if (desired && desired->revision == 0)
    return failed(context, "no show is applied, so there is no output; run: submix apply FILE");
  return run_change(context, connection->cluster(), change, command, done);
}

TransportChange set(bool cluster::DesiredTransport::* field, bool value) {
  return [field, value](cluster::DesiredTransport& transport) -> Result<void> {
    transport.*field = value;
    return {};
  };
}

TransportChange pause(bool is_paused) {
  return set(&cluster::DesiredTransport::is_paused, is_paused);
}

TransportChange step_by(std::uint64_t frames) {
  return [frames](cluster::DesiredTransport& transport) -> Result<void> {
    if (!transport.is_paused)
      return fail("the show is not paused, so there is nothing to step; run: submix pause");
    transport.steps += frames;
    return {};
  };
}

std::string frames_on(std::uint64_t frames) {
  return fmt::format("{} frame{} on", frames, frames == 1 ? "" : "s");
}

// Makes one step after another, each as a single person's step. A slow answer delays the later
// steps; none is caught up.
int run_steps(Context& context, const StepOptions& options) {
  StopSignal stop;  // before the connection's threads
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto period =
      std::chrono::ceil<milliseconds>(std::chrono::duration<double>(1 / *options.fps));
  bool is_paused = true;
  const auto step = [&is_paused](cluster::DesiredTransport& transport) {
    is_paused = transport.is_paused;
    return step_by(1)(transport);
  };
  std::uint64_t done = 0;
  while ((!options.frames || done < *options.frames) &&
         !stop.wait_for(done == 0 ? milliseconds(0) : period)) {
    const auto stepped = change_transport(connection->cluster(), step, "step");
    if (!stepped && !is_paused && done > 0) break;  // another person has resumed
    if (!stepped) return failed(context, stepped.error().message);
    ++done;
  }
  context.out << frames_on(done) << (is_paused ? "" : "; the show runs again") << std::endl;
  return kOk;
}

}  // namespace

Result<void> set_paused(cluster::Cluster& cluster, bool is_paused, std::string_view command) {
  return change_transport(cluster, pause(is_paused), command);
}

int run_pause(Context& context, const PauseOptions&) {
  return run_change(context, pause(true), "pause", "paused");
}

int run_resume(Context& context, const PauseOptions&) {
  return run_change(context, pause(false), "resume", "running");
}

int run_blackout(Context& context, const OutputOptions& options) {
  return run_output_change(
      context, set(&cluster::DesiredTransport::is_black, options.is_on), "blackout",
      options.is_on ? "all outputs are black; the show runs on: submix blackout off"
                    : "the outputs show their pictures");
}

int run_freeze(Context& context, const OutputOptions& options) {
  return run_output_change(
      context, set(&cluster::DesiredTransport::is_frozen, options.is_on), "freeze",
      options.is_on ? "all outputs hold their picture; the show runs on: submix freeze off"
                    : "the outputs move");
}

int run_identify(Context& context, const OutputOptions& options) {
  return run_output_change(
      context, set(&cluster::DesiredTransport::has_test_cards, options.is_on), "identify",
      options.is_on ? "each output shows its name and display: submix identify off"
                    : "the outputs show their pictures");
}

int run_step(Context& context, const StepOptions& options) {
  if (options.fps) return run_steps(context, options);
  const auto frames = options.frames.value_or(1);
  return run_change(context, step_by(frames), "step", frames_on(frames));
}

}  // namespace submix::cli
