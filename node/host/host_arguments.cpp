// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_arguments.hpp"

#include "node/host/control_block.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <system_error>

namespace submix::host {

std::optional<int> parse_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

std::optional<HostTask> parse_task(int argc, char** argv) {
  const bool is_spare = argc == 7 && argv[6] == kSpareMark;
  if (argc != 6 && !is_spare) return std::nullopt;
  const auto width = parse_number(argv[3]);
  const auto height = parse_number(argv[4]);
  const auto node = parse_number(argv[5]);
  if (!width || !height || !node || !is_allowed({*width, *height})) return std::nullopt;
  HostTask task{.slot = argv[1], .file = argv[2], .size = {*width, *height}, .node = *node};
  if (is_spare) task.spare_mark = {argv[6], std::strlen(argv[6])};
  return task;
}

bool tie_to_node(std::optional<int> node) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return node && ::getppid() == *node;
}

}  // namespace submix::host
