// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/examine.hpp"

#include "common/base/capture_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace submix::doctor {
namespace {

constexpr std::uint64_t kDescriptorsWanted = 8192;  // a plugin host takes about six
constexpr double kMemoryWanted = 2e9;
constexpr double kMemoryNeeded = 0.5e9;
constexpr double kDiskWanted = 20e9;
constexpr double kDiskNeeded = 1e9;
constexpr int kSpeedNeededMbit = 1000;  // 1280x720 at 30 fps takes 663 Mbit/s

std::string speed_text(int mbit) {
  return mbit >= 1000 ? fmt::format("{:g} Gbit/s", mbit / 1e3) : fmt::format("{} Mbit/s", mbit);
}

/// What a person knows a card by: its speed, driver and MTU.
std::string card_text(const CardState& card) {
  std::string text = card.interface.speed_mbit > 0 ? speed_text(card.interface.speed_mbit)
                                                   : std::string("unknown speed");
  if (!card.driver.empty()) text += ", driver " + card.driver;
  return text + fmt::format(", MTU {}, {}", card.interface.mtu_bytes, card.interface.address);
}

Finding examine_card(const CardState& card, bool has_cable) {
  const auto& interface = card.interface;
  Finding finding{.subject = "card " + interface.name, .found = card_text(card)};
  const auto judge = [&finding](Grade grade, std::string found, std::string remedy) {
    finding.grade = grade;
    finding.found = std::move(found) + " (" + finding.found + ")";
    finding.remedy = std::move(remedy);
  };
  if (!interface.is_up) {
    judge(Grade::note, "no cable, or switched off", "plug its cable in, if the show shall use it");
  } else if (card.is_half_duplex) {
    judge(Grade::bad, "half duplex: it cannot send and receive at once",
          "let both ends negotiate, or replace the hub by a switch");
  } else if (card.is_wireless) {
    judge(has_cable ? Grade::note : Grade::bad, "wireless: its rate changes from second to second",
          "use a cable for streams; name the cards that shall be used by --data-address");
  } else if (card.usb_mbit > 0 && card.usb_mbit < kSpeedNeededMbit) {
    judge(Grade::bad, fmt::format("its USB port carries {} only", speed_text(card.usb_mbit)),
          "plug it into a USB 3 port");
  } else if (interface.speed_mbit > 0 && interface.speed_mbit < interface.speed_max_mbit) {
    judge(interface.speed_mbit < kSpeedNeededMbit ? Grade::bad : Grade::note,
          fmt::format("runs at {} of {}", speed_text(interface.speed_mbit),
                      speed_text(interface.speed_max_mbit)),
          "replace the cable, or use a faster port of the switch");
  } else if (interface.speed_mbit > 0 && interface.speed_mbit < kSpeedNeededMbit) {
    judge(Grade::bad, "too slow for a stream of 1280x720 at 30 fps, which takes 663 Mbit/s",
          "use a card of 1 Gbit/s or more, or a smaller show");
  }
  return finding;
}

Finding examine_governors(const PcReading& pc) {
  Finding finding{.subject = "processor frequency"};
  if (pc.governors.empty()) {
    finding.found = "not changed by Linux";
    return finding;
  }
  for (const auto& [governor, processors] : pc.governors) {
    if (!finding.found.empty()) finding.found += ", ";
    finding.found += fmt::format("{} on {} {}", governor, processors,
                                 processors == 1 ? "processor" : "processors");
  }
  if (!pc.frequency_driver.empty()) finding.found += " (" + pc.frequency_driver + ")";
  if (pc.governors.size() == 1 && pc.governors.contains("performance")) return finding;
  // These drivers raise the frequency under "powersave", too, though with some delay.
  const bool is_dynamic =
      pc.frequency_driver == "intel_pstate" || pc.frequency_driver == "amd-pstate-epp";
  const bool is_lowest = pc.governors.contains("powersave") && !is_dynamic;
  finding.grade = is_lowest ? Grade::bad : Grade::note;
  finding.found +=
      is_lowest ? ": always the lowest frequency" : ": frames may be late after a pause";
  finding.remedy = "sudo submix doctor --fix sets \"performance\" until the next start";
  finding.can_mend = true;
  return finding;
}

Finding examine_kernel(const std::string& release) {
  Finding finding{.subject = "kernel", .found = "Linux " + release};
  int major = 0;
  int minor = 0;
  if (std::sscanf(release.c_str(), "%d.%d", &major, &minor) != 2) return finding;
  if (major > 6 || (major == 6 && minor >= 1)) return finding;
  finding.grade = Grade::note;
  finding.found +=
      ": pictures lie in small memory pages, which costs time (6.1 and later can join them)";
  finding.remedy = "use a kernel of Debian 12 or later";
  return finding;
}

}  // namespace

Findings examine_rights(const Rights& rights) {
  if (rights.is_by_sudo)
    return {{.grade = Grade::note,
             .subject = "rights",
             .found = "cannot be judged by sudo, which has them all",
             .remedy = "run submix doctor again without sudo, after your next login"}};
  Findings findings;
  if (rights.realtime) {
    findings.push_back({.subject = "real-time scheduling", .found = *rights.realtime});
  } else {
    findings.push_back({.grade = Grade::bad,
                        .subject = "real-time scheduling",
                        .found = rights.realtime.error().message,
                        .remedy = "sudo submix doctor --fix permits it",
                        .can_mend = true});
  }
  if (rights.memory_lock) {
    findings.push_back({.subject = "memory lock", .found = "permitted"});
  } else {
    findings.push_back({.grade = Grade::note,
                        .subject = "memory lock",
                        .found = rights.memory_lock.error().message,
                        .remedy = "sudo submix doctor --fix permits it",
                        .can_mend = true});
  }
  Finding descriptors{.subject = "open files",
                      .found = fmt::format("{} at most", rights.descriptors_max)};
  if (rights.descriptors_max < kDescriptorsWanted) {
    descriptors.grade = Grade::note;
    descriptors.remedy = fmt::format(
        "a large show needs more: raise the hard limit of \"nofile\" to {} in "
        "/etc/security/limits.conf",
        kDescriptorsWanted);
  }
  findings.push_back(std::move(descriptors));
  return findings;
}

Findings examine_cards(const std::vector<CardState>& cards) {
  const auto is_up = [](const CardState& card) { return card.interface.is_up; };
  const bool has_cable = std::ranges::any_of(
      cards, [&](const CardState& card) { return is_up(card) && !card.is_wireless; });
  Findings findings;
  for (const auto& card : cards) {
    if (!card.driver.empty()) findings.push_back(examine_card(card, has_cable));
  }
  if (std::ranges::none_of(cards, is_up))
    findings.push_back({.grade = Grade::note,
                        .subject = "network",
                        .found = "no card is up: this PC reaches no other",
                        .remedy = "plug a cable in, and give its card an address"});
  return findings;
}

Findings examine_processors(const PcReading& pc) {
  Findings findings{examine_governors(pc), examine_kernel(pc.kernel)};
  if (pc.times_throttled > 0)
    findings.push_back({.grade = Grade::note,
                        .subject = "heat",
                        .found = fmt::format("slowed the processor down {} times since the start",
                                             pc.times_throttled),
                        .remedy = "give the PC air, and clean its fans"});
  if (pc.is_on_battery)
    findings.push_back({.grade = Grade::bad,
                        .subject = "power",
                        .found = "runs on its battery: the PC saves power now, and goes out later",
                        .remedy = "plug the power supply in"});
  return findings;
}

Findings examine_loopback(const PcReading& pc) {
  const auto& [is_installed, is_built, devices, has_exclusive_caps] = pc.loopback;
  if (!is_installed && devices.empty()) return {};

  Finding finding{.subject = "camera-out"};
  if (!devices.empty()) {
    finding.found = fmt::format("can write {}", fmt::join(devices, ", "));
    if (has_exclusive_caps) return {finding};
    finding.grade = Grade::note;
    finding.found +=
        "; browsers do not list them: v4l2loopback was loaded without exclusive_caps=1";
    finding.remedy = fmt::format("sudo modprobe -r v4l2loopback && {}", kLoadLoopback);
    return {finding};
  }
  finding.grade = Grade::note;
  finding.remedy = kLoadLoopback;
  if (is_built) {
    finding.found = "v4l2loopback is not loaded: no program has a show's picture as a camera";
  } else {
    finding.found = fmt::format(
        "v4l2loopback is installed, but not built for Linux {}: it cannot be loaded", pc.kernel);
    finding.remedy = fmt::format("sudo apt install linux-headers-{} && sudo dkms autoinstall && {}",
                                 pc.kernel, kLoadLoopback);
  }
  return {finding};
}

Findings examine_cameras(const PcReading& pc) {
  if (pc.closed_cameras.empty()) return {};
  return {{.grade = Grade::note,
           .subject = "cameras",
           .found = fmt::format("this user may not open {}", fmt::join(pc.closed_cameras, ", ")),
           .remedy = "sudo adduser \"$USER\" video, then log in again"}};
}

Finding examine_memory(std::uint64_t available_bytes) {
  const auto bytes = static_cast<double>(available_bytes);
  Finding finding{.subject = "memory",
                  .found = fmt::format("{:.1f} GB are free for programs", bytes / 1e9)};
  if (bytes >= kMemoryWanted) return finding;
  finding.grade = bytes < kMemoryNeeded ? Grade::bad : Grade::note;
  finding.remedy = "end other programs";
  return finding;
}

Finding examine_folder(const FolderState& state) {
  const auto bytes = static_cast<double>(state.free_bytes);
  Finding finding{
      .subject = state.subject,
      .found = fmt::format("{:.0f} GB are free in {}", bytes / 1e9, state.folder.string())};
  if (!state.writable) {
    finding.grade = Grade::bad;
    finding.found = state.writable.error().message;
    finding.remedy = "name another folder by --recordings, or let this user write there";
  } else if (bytes < kDiskWanted) {
    finding.grade = bytes < kDiskNeeded ? Grade::bad : Grade::note;
    finding.remedy = "free the disk, or name a folder of another disk by --recordings";
  }
  return finding;
}

Finding examine_plugins(std::size_t frei0r_plugins) {
  Finding finding{.subject = "effects", .found = fmt::format("{} files of frei0r", frei0r_plugins)};
  if (frei0r_plugins > 0) return finding;
  finding.grade = Grade::note;
  finding.found = "no plugin of frei0r is installed";
  finding.remedy = "sudo apt install frei0r-plugins";
  return finding;
}

}  // namespace submix::doctor
