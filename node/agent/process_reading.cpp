// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/process_reading.hpp"

#include "common/base/allocation_count.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace submix::agent {
namespace {

std::chrono::nanoseconds duration_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

void read_process(telemetry::NodeReading& reading) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  reading.cpu = duration_of(usage.ru_utime) + duration_of(usage.ru_stime);
  reading.page_faults =
      static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
  reading.allocations = frame_allocation_count();
  std::uint64_t pages_mapped = 0;
  std::uint64_t pages_resident = 0;
  std::ifstream("/proc/self/statm") >> pages_mapped >> pages_resident;
  reading.memory_bytes = pages_resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace submix::agent
