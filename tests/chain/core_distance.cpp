// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/chain/core_distance.hpp"

#include "common/media/frame.hpp"
#include "tests/throughput/statistics.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace submix::chain {
namespace {

constexpr int kTries = 15;

cpu_set_t allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  static_cast<void>(::sched_getaffinity(0, sizeof set, &set));
  return set;
}

std::vector<std::size_t> list_of(const cpu_set_t& set) {
  std::vector<std::size_t> cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

/// Keeps the calling thread on one core, and releases it again.
class OnCore {
 public:
  explicit OnCore(std::size_t core) : before_(allowed_cores()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    static_cast<void>(::sched_setaffinity(0, sizeof set, &set));
  }
  OnCore(const OnCore&) = delete;
  OnCore& operator=(const OnCore&) = delete;
  ~OnCore() { static_cast<void>(::sched_setaffinity(0, sizeof before_, &before_)); }

 private:
  const cpu_set_t before_;
};

using Picture = std::vector<std::uint8_t>;

double time_to_copy(const Picture& from, Picture& to) {
  const auto began = std::chrono::steady_clock::now();
  std::copy(from.begin(), from.end(), to.begin());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

std::size_t core_count() {
  return list_of(allowed_cores()).size();
}

double core_distance(Size size) {
  const auto cores = list_of(allowed_cores());
  if (cores.size() < 2) return 1;
  Picture picture(size.pixels() * media::kBytesPerRgbaPixel);
  Picture copy(picture.size());
  const OnCore first(cores.front());
  double farthest = 1;
  for (auto core = cores.begin() + 1; core != cores.end(); ++core) {
    std::vector<double> ratios;
    for (int i = 0; i < kTries; ++i) {
      const auto fill = [&] {
        std::fill(picture.begin(), picture.end(), static_cast<std::uint8_t>(i));
      };
      fill();
      const auto own = time_to_copy(picture, copy);
      std::thread([&] {
        const OnCore other(*core);
        fill();
      }).join();
      ratios.push_back(time_to_copy(picture, copy) / own);
    }
    farthest = std::max(farthest, throughput::median(ratios));
  }
  return farthest;
}

}  // namespace submix::chain
