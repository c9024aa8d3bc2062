// SPDX-License-Identifier: GPL-3.0-or-later
// submix media copy
#include "common/base/stop_signal.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/session/media_copying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>

namespace submix::cli {
namespace {

// "rack1:rain.mp4", unless a file of this computer has this name.
session::MediaOrigin origin_of(const std::string& from) {
  const auto colon = from.find(':');
  std::error_code error;
  if (colon == std::string::npos || std::filesystem::exists(from, error)) return {{}, from};
  return {from.substr(0, colon), from.substr(colon + 1)};
}

std::string progress_text(const cluster::MediaCopy& copy, std::uint64_t bytes_copied,
                          std::chrono::steady_clock::time_point begun) {
  if (copy.bytes_all == 0) return "waiting …";
  const double share = static_cast<double>(copy.bytes) / static_cast<double>(copy.bytes_all);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
  return fmt::format("{:.0f} % of {:.1f} MB, {:.1f} MB/s", share * 100,
                     static_cast<double>(copy.bytes_all) / 1e6,
                     static_cast<double>(bytes_copied) / 1e6 / std::max(time.count(), 0.001));
}

}  // namespace

int run_media_copy(Context& context, const MediaCopyOptions& options) {
  const auto origin = origin_of(options.from);
  const auto name = options.name.empty() ? session::name_of_copy(origin) : options.name;
  StopSignal stop;  // before the connection's threads
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto begun = std::chrono::steady_clock::now();
  std::uint64_t had = 0;
  std::string shown;
  const auto go_on = [&](const cluster::MediaCopy& copy) {
    if (had == 0) had = copy.bytes;
    const auto line = progress_text(copy, copy.bytes - had, begun);
    if (context.is_terminal && line != shown) context.err << "\r" << line << "   " << std::flush;
    shown = line;
    return !stop.wait_for(std::chrono::seconds(0));
  };
  const auto copied = session::copy_media(connection->cluster(), origin, options.node, name, go_on);
  if (context.is_terminal && !shown.empty()) context.err << std::endl;
  if (!copied) return failed(context, copied.error().message);
  context.out << fmt::format("{} has {}\n", options.node, name) << std::flush;
  return kOk;
}

}  // namespace submix::cli
