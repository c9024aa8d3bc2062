// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <memory>

namespace submix::testing {

/// Whether the installed nats-server is older than 2.10: its store hangs on a full disk. Later ones
/// refuse each write, go on reading, and write again where there is room.
inline bool does_nats_hang_on_a_full_disk() {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen("nats-server --version", "r"),
                                                     ::pclose);
  int major = 0;
  int minor = 0;
  if (output == nullptr || std::fscanf(output.get(), "nats-server: v%d.%d", &major, &minor) != 2)
    return true;
  return major == 2 && minor < 10;
}

}  // namespace submix::testing
