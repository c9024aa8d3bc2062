// SPDX-License-Identifier: GPL-3.0-or-later
// Receives the pictures of one address for a node: confines itself, keeps the right to use IP, and
// copies the picture that is due for job after job.

#include "common/base/version_option.hpp"
#include "node/host/host_arguments.hpp"
#include "node/host/host_loop.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "node/io/network/network.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <memory>

namespace {

using namespace submix;

constexpr int kUsageStatus = 2;
// Address space for libraries, threads and a decoder's own pictures, which may be 8K.
constexpr std::size_t kReceivingBytesMax = std::size_t{4} << 30U;

Result<std::unique_ptr<plugin::Instance>> make_instance(const std::filesystem::path& /*file*/,
                                                        const plugin::Setup& setup) {
  return io::make_network_instance(setup);
}

}  // namespace

int main(int argc, char** argv) {
  if (has_told_version("submix-network-host", argc, argv)) return 0;
  const auto task = host::parse_task(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-network-host: submix-node starts it, once for each slot that receives a "
               "picture from the network; there is nothing to do with it by hand\n");
    return kUsageStatus;
  }
  if (!host::tie_to_node(task->node)) return kUsageStatus;
  io::silence_ffmpeg();
  host::run(*task,
            {.make = make_instance, .uses_network = true, .other_bytes_max = kReceivingBytesMax});
}
