// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/usage.hpp"

#include "common/base/allocation_count.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace submix::throughput {
namespace {

using std::chrono::nanoseconds;

nanoseconds to_nanoseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

// The first line of /proc/stat: user nice system idle iowait irq softirq steal …, in ticks.
nanoseconds machine_busy() {
  constexpr int kIdle = 3;
  constexpr int kIoWait = 4;
  constexpr int kColumns = 7;  // steal is not our work
  std::array<char, 256> text{};
  const int file = ::open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return nanoseconds(0);
  const auto count = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (count <= 0) return nanoseconds(0);
  std::uint64_t ticks = 0;
  char* at = text.data() + 4;  // skips "cpu "
  for (int column = 0; column < kColumns; ++column) {
    const auto value = std::strtoull(at, &at, 10);
    if (column != kIdle && column != kIoWait) ticks += value;
  }
  return nanoseconds(ticks *
                     (1'000'000'000ULL / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK))));
}

}  // namespace

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Usage usage_now() {
  rusage own{};
  ::getrusage(RUSAGE_SELF, &own);
  Usage usage;
  usage.at = nanoseconds(monotonic_ns());
  usage.cpu = to_nanoseconds(own.ru_utime) + to_nanoseconds(own.ru_stime);
  usage.machine_busy = machine_busy();
  usage.page_faults =
      static_cast<std::uint64_t>(own.ru_minflt) + static_cast<std::uint64_t>(own.ru_majflt);
  usage.allocations = allocation_count();
  return usage;
}

Usage operator-(const Usage& later, const Usage& earlier) {
  return {later.at - earlier.at, later.cpu - earlier.cpu, later.machine_busy - earlier.machine_busy,
          later.page_faults - earlier.page_faults, later.allocations - earlier.allocations};
}

}  // namespace submix::throughput
