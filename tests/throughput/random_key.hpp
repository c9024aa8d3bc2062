// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/wire/seal.hpp"

#include <algorithm>

namespace submix::throughput {

/// A key for one run: streams need a key on any address but loopback.
[[nodiscard]] inline wire::Key random_key() {
  wire::Key key{};
  const auto first = wire::random_nonce();
  const auto second = wire::random_nonce();
  static_assert(sizeof key == sizeof first + sizeof second);
  std::copy(first.begin(), first.end(), key.begin());
  std::copy(second.begin(), second.end(), key.begin() + first.size());
  return key;
}

}  // namespace submix::throughput
