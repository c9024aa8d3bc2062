// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

/// An Avahi daemon and a message bus of its own for each PC of a test.
namespace submix::testing {

inline constexpr const char* kBus = R"(<busconfig>
  <type>system</type>
  <listen>unix:path=/run/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>)";

inline constexpr const char* kAvahi = R"([server]
use-ipv6=no
[publish]
publish-hinfo=no
publish-workstation=no)";

// Runs its arguments beside an Avahi daemon and a message bus of this PC's own. They end together.
inline constexpr const char* kWithAvahi =
    R"(mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon || exit 1
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/bus
dbus-daemon --config-file=$PWD/bus.conf --nofork &
for i in $(seq 100); do [ -S /run/bus ] && break; sleep 0.1; done
avahi-daemon --file $PWD/avahi.conf --no-drop-root --no-chroot --no-rlimits >avahi.log 2>&1 &
for i in $(seq 100); do grep -q 'startup complete' avahi.log && break; sleep 0.1; done
"$@")";

/// Before a command that runs in a folder with the files of write_files_of_avahi().
inline const std::string kBesideAvahi =
    "unshare --mount --pid --fork --kill-child sh with-avahi.sh ";

inline void write_files_of_avahi(const std::filesystem::path& folder) {
  ASSERT_TRUE(write_file_atomically(folder / "bus.conf", kBus).has_value());
  ASSERT_TRUE(write_file_atomically(folder / "avahi.conf", kAvahi).has_value());
  ASSERT_TRUE(write_file_atomically(folder / "with-avahi.sh", kWithAvahi).has_value());
}

}  // namespace submix::testing
