// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/processes.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace submix::chain {

std::chrono::duration<double> cpu_of(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::vector<pid_t> children_of_this() {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;)
      found.push_back(child);
  }
  return found;
}

std::size_t private_bytes_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  std::size_t kib = 0;
  for (std::string word; file >> word;) {
    if (word == "Private_Dirty:") file >> kib;
  }
  return kib * 1024;
}

std::string slot_of_host(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::string word;
  for (int i = 0; i < 2; ++i)
    std::getline(file, word, '\0');
  return word;
}

std::chrono::duration<double> cpu_of_all() {
  return cpu_of_this_and(children_of_this());
}

std::chrono::duration<double> cpu_of_this_and(const std::vector<pid_t>& children) {
  auto sum = cpu_of(0);
  for (const auto child : children)
    sum += cpu_of(child);
  return sum;
}

}  // namespace submix::chain
