// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/context.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace submix::throughput {

int failed(const Context& context, const Error& error) {
  fmt::print(stderr, "submix-throughput: {}\n", error.message);
  return context.signal ? 128 + *context.signal : kFailed;
}

}  // namespace submix::throughput
