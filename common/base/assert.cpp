// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace submix {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken: %s\n", file, line, condition);
  std::abort();
}

}  // namespace submix
