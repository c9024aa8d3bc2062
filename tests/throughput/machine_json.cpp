// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/machine_json.hpp"

#include "common/base/version.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace submix::throughput {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

nlohmann::ordered_json machine_json() {
  utsname kernel{};
  ::uname(&kernel);
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return {{"submix", std::string(version())},
          {"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"kernel", std::string(kernel.release)},
          {"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                               fmt::gmtime(std::chrono::system_clock::to_time_t(now)))}};
}

}  // namespace submix::throughput
