// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/network.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace submix::doctor {

/// A network card with at least one address.
struct CardState {
  NetworkInterface interface;  ///< its first address, with speeds
  std::string driver = {};     ///< "e1000e"; empty: a card without hardware
  bool is_half_duplex = false;
  bool is_wireless = false;
  int usb_mbit = 0;  ///< speed of its USB port; 0: not at USB
};

/// Of the driver v4l2loopback: other programs have its devices as cameras.
struct LoopbackState {
  bool is_installed = false;              ///< its package is
  bool is_built = false;                  ///< for the running kernel
  std::vector<std::string> devices = {};  ///< "video10"; empty: it is not loaded
  bool has_exclusive_caps = true;         ///< false: browsers do not list all its devices
};

/// What the kernel tells about this PC, as far as a show depends on it.
struct PcReading {
  std::vector<CardState> cards;          ///< without loopback
  std::map<std::string, int> governors;  ///< of how many processors each: {"powersave", 8}
  std::string frequency_driver = {};     ///< "intel_pstate"; empty: frequencies are fixed
  bool is_on_battery = false;
  std::uint64_t times_throttled = 0;  ///< processors slowed down by heat since the start
  std::string kernel = {};            ///< "6.1.0-28-amd64"
  LoopbackState loopback = {};
  std::vector<std::string> closed_cameras = {};  ///< "video0": this user may not open them
};

/// Reads `/proc`, `/sys` and the kernel's modules below `root`; cards come from the kernel itself.
///
/// Cost     Some milliseconds, and more for cards that are slow to tell their speed.
/// Errors   What the kernel does not tell stays empty.
[[nodiscard]] PcReading read_pc(const std::filesystem::path& root,
                                const std::vector<NetworkInterface>& interfaces);

/// The files with the frequency governor of each processor below `root`.
[[nodiscard]] std::vector<std::filesystem::path> governor_files(const std::filesystem::path& root);

}  // namespace submix::doctor
