// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <vector>

namespace submix::chain {

/// Ordinary threads that copy memory, like other programs, until the object ends.
class Burners {
 public:
  explicit Burners(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      threads_.emplace_back(burn);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{8} << 20U;

  static void burn(const std::stop_token& stop) {
    std::vector<std::uint8_t> from(kBytes, 1);
    std::vector<std::uint8_t> to(kBytes);
    while (!stop.stop_requested()) {
      std::copy(from.begin(), from.end(), to.begin());
      from.swap(to);
    }
  }

  std::vector<std::jthread> threads_;
};

}  // namespace submix::chain
