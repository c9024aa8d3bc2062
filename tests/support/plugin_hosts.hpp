// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace submix::testing {

/// Plugin hosts and decoders among this process's children, the oldest first. A child that has not
/// executed its program yet is in neither list.
struct PluginHosts {
  std::vector<pid_t> at_work;
  std::vector<pid_t> spares;
  std::vector<pid_t> decoders;
  std::vector<pid_t> network_hosts;  ///< spares included
};

/// Child processes, as the kernel lists them.
inline PluginHosts plugin_hosts_of_this() {
  std::vector<pid_t> children;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    std::copy(std::istream_iterator<pid_t>(file), {}, std::back_inserter(children));
  }
  PluginHosts found;
  for (const auto child : children) {
    std::ifstream file("/proc/" + std::to_string(child) + "/cmdline");
    std::string words;
    std::getline(
        file,
        words);  // a child that has just ended has no words: a stream fails then, its buffer throws
    while (words.ends_with('\0'))
      words.pop_back();
    if (words.find("submix-decoder") != std::string::npos) found.decoders.push_back(child);
    if (words.find("submix-network-host") != std::string::npos)
      found.network_hosts.push_back(child);
    if (words.find("submix-plugin-host") == std::string::npos) continue;
    (words.ends_with(std::string("\0spare", 6)) ? found.spares : found.at_work).push_back(child);
  }
  return found;
}

}  // namespace submix::testing
