// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace submix::throughput {

inline constexpr std::uint16_t kLinkPort = 7410;

struct ServeOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = kLinkPort;
  std::string key_file;  ///< empty: none
  /// Empty: all cards that are up; loopback without a key
  std::vector<std::string> data_addresses;
};

/// Receives for `submix-throughput link` on another machine, one client at a time, until a signal.
int run_serve(Context& context, const ServeOptions& options);

}  // namespace submix::throughput
