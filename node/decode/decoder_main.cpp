// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes one file of pictures for a node: confines itself, reads the file, paints picture after
// picture. Or reads the file's sound.

#include "common/base/version_option.hpp"
#include "node/decode/decoder_loop.hpp"
#include "node/host/host_arguments.hpp"
#include "node/io/ffmpeg_log.hpp"

#include <fmt/format.h>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace submix;
  constexpr int kUsageStatus = 2;
  if (has_told_version("submix-decoder", argc, argv)) return 0;
  const auto task = host::parse_task(argc, argv);
  if (!task) {
    fmt::print(stderr,
               "submix-decoder: submix-node starts it, once for each clip and for each image "
               "that it reads; there is nothing to do with it by hand\n");
    return kUsageStatus;
  }
  if (!host::tie_to_node(task->node)) return kUsageStatus;
  io::silence_ffmpeg();
  decode::run(*task);
}
