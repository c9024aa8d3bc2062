// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/standard_files.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace submix {

void open_standard_files() {
  int opened = 0;
  while (opened >= 0 && opened <= STDERR_FILENO)
    opened = ::open("/dev/null", O_RDWR);
  if (opened >= 0) ::close(opened);
}

}  // namespace submix
