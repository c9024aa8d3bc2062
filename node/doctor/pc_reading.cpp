// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/pc_reading.hpp"

#include "common/link/cards/interfaces.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace submix::doctor {
namespace {

namespace fs = std::filesystem;

/// The first word of a file; empty: there is none.
std::string word_in(const fs::path& file) {
  std::ifstream text(file);
  std::string word;
  text >> word;
  return word;
}

/// The number in a file; 0: there is none.
std::uint64_t number_in(const fs::path& file) {
  std::ifstream text(file);
  std::uint64_t number = 0;
  return text >> number ? number : 0;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  std::ranges::sort(entries);
  return entries;
}

/// A folder for each processor: "cpu0".
std::vector<fs::path> processors_below(const fs::path& root) {
  auto folders = entries_of(root / "sys/devices/system/cpu");
  std::erase_if(folders, [](const fs::path& folder) {
    const auto name = folder.filename().string();
    return !name.starts_with("cpu") || name.find_first_not_of("0123456789", 3) != name.npos;
  });
  return folders;
}

bool is_on_battery(const fs::path& root) {
  bool has_battery = false;
  for (const auto& supply : entries_of(root / "sys/class/power_supply")) {
    const auto type = word_in(supply / "type");
    if (type == "Mains" && number_in(supply / "online") != 0) return false;
    // A mouse has a battery, too, of the scope "Device".
    if (type == "Battery" && word_in(supply / "scope") != "Device" &&
        word_in(supply / "status") == "Discharging")
      has_battery = true;
  }
  return has_battery;
}

CardState read_card(const fs::path& root, const NetworkInterface& interface) {
  const auto folder = root / "sys/class/net" / interface.name;
  std::error_code error;
  CardState card{.interface = interface};
  card.driver = fs::read_symlink(folder / "device/driver", error).filename().string();
  card.is_half_duplex = word_in(folder / "duplex") == "half";
  card.is_wireless =
      fs::exists(folder / "wireless", error) || fs::exists(folder / "phy80211", error);
  // The device of a card at USB is an interface of it; the folder above tells the port's speed.
  if (const auto device = fs::canonical(folder / "device", error);
      !error && fs::exists(device / "bInterfaceNumber", error))
    card.usb_mbit = static_cast<int>(number_in(device.parent_path() / "speed"));
  return card;
}

bool has_module(const fs::path& root, const std::string& kernel, const std::string& module) {
  std::ifstream modules(root / "lib/modules" / kernel / "modules.dep");
  for (std::string line; std::getline(modules, line);) {
    if (line.substr(0, line.find(':')).find("/" + module + ".ko") != line.npos) return true;
  }
  return false;
}

/// One letter for each device: "Y,N,N". A driver that tells nothing is taken for well loaded.
bool has_exclusive_caps(const fs::path& root, std::size_t devices) {
  const auto letters = word_in(root / "sys/module/v4l2loopback/parameters/exclusive_caps");
  for (std::size_t i = 0; i < devices && 2 * i < letters.size(); ++i) {
    if (letters[2 * i] != 'Y') return false;
  }
  return true;
}

std::vector<std::string> closed_cameras(const fs::path& root) {
  std::vector<std::string> closed;
  for (const auto& device : entries_of(root / "sys/class/video4linux")) {
    const auto name = device.filename();
    const auto file = root / "dev" / name;
    const int answer = ::faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS);
    if (answer != 0 && errno == EACCES) closed.push_back(name.string());
  }
  return closed;
}

LoopbackState read_loopback(const fs::path& root, const std::string& kernel) {
  LoopbackState state{.is_built = has_module(root, kernel, "v4l2loopback")};
  for (const auto& source : entries_of(root / "usr/src")) {
    if (source.filename().string().starts_with("v4l2loopback-")) state.is_installed = true;
  }
  for (const auto& device : entries_of(root / "sys/class/video4linux")) {
    std::error_code error;
    const bool is_loopback = fs::exists(device / "max_openers", error);  // no other driver has it
    if (is_loopback) state.devices.push_back(device.filename().string());
  }
  state.has_exclusive_caps = has_exclusive_caps(root, state.devices.size());
  return state;
}

}  // namespace

std::vector<fs::path> governor_files(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& processor : processors_below(root)) {
    auto file = processor / "cpufreq/scaling_governor";
    if (fs::exists(file, error)) files.push_back(std::move(file));
  }
  return files;
}

PcReading read_pc(const fs::path& root, const std::vector<NetworkInterface>& interfaces) {
  PcReading pc;
  for (const auto& each : interfaces) {
    const bool is_known = std::ranges::any_of(
        pc.cards, [&each](const CardState& card) { return card.interface.name == each.name; });
    if (!is_known && !link::is_loopback(each.address)) pc.cards.push_back(read_card(root, each));
  }
  for (const auto& file : governor_files(root)) {
    ++pc.governors[word_in(file)];
    pc.frequency_driver = word_in(file.parent_path() / "scaling_driver");
  }
  for (const auto& processor : processors_below(root))
    pc.times_throttled = std::max(pc.times_throttled,
                                  number_in(processor / "thermal_throttle/package_throttle_count"));
  pc.is_on_battery = is_on_battery(root);
  pc.kernel = word_in(root / "proc/sys/kernel/osrelease");
  pc.loopback = read_loopback(root, pc.kernel);
  pc.closed_cameras = closed_cameras(root);
  return pc;
}

}  // namespace submix::doctor
