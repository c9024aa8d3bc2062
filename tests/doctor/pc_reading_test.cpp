// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/pc_reading.hpp"

#include "common/link/cards/interfaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace submix::doctor {
namespace {

namespace fs = std::filesystem;

/// A copy of the kernel's files, as far as a test writes them.
class PcReadingTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root() / file).parent_path());
    std::ofstream(root() / file) << text << '\n';
  }
  [[nodiscard]] fs::path root() const { return folder_.path(); }
  [[nodiscard]] PcReading read(const std::vector<NetworkInterface>& interfaces = {}) const {
    return read_pc(root(), interfaces);
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(PcReadingTest, AnEmptyFolderTellsNothing) {
  const auto pc = read();
  EXPECT_TRUE(pc.governors.empty());
  EXPECT_TRUE(pc.kernel.empty());
  EXPECT_FALSE(pc.is_on_battery);
}

TEST_F(PcReadingTest, CountsGovernorsOfProcessorsOnly) {
  for (const auto* processor : {"cpu0", "cpu1", "cpu10"}) {
    const auto folder = std::string("sys/devices/system/cpu/") + processor + "/cpufreq/";
    write(folder + "scaling_governor",
          processor == std::string("cpu1") ? "powersave" : "performance");
    write(folder + "scaling_driver", "acpi-cpufreq");
  }
  write("sys/devices/system/cpu/cpufreq/cpufreq/scaling_governor", "no processor");
  write("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "7");
  const auto pc = read();
  EXPECT_EQ(pc.governors, (std::map<std::string, int>{{"performance", 2}, {"powersave", 1}}));
  EXPECT_EQ(pc.frequency_driver, "acpi-cpufreq");
  EXPECT_EQ(pc.times_throttled, 7U);
}

TEST_F(PcReadingTest, ADischargingBatteryCountsUnlessThePlugIsIn) {
  write("sys/class/power_supply/BAT0/type", "Battery");
  write("sys/class/power_supply/BAT0/status", "Discharging");
  EXPECT_TRUE(read().is_on_battery);
  write("sys/class/power_supply/AC/type", "Mains");
  write("sys/class/power_supply/AC/online", "0");
  EXPECT_TRUE(read().is_on_battery);
  write("sys/class/power_supply/AC/online", "1");
  EXPECT_FALSE(read().is_on_battery);
}

TEST_F(PcReadingTest, TheBatteryOfAMouseIsNotThePcs) {
  write("sys/class/power_supply/hidpp_battery_0/type", "Battery");
  write("sys/class/power_supply/hidpp_battery_0/scope", "Device");
  write("sys/class/power_supply/hidpp_battery_0/status", "Discharging");
  EXPECT_FALSE(read().is_on_battery);
}

TEST_F(PcReadingTest, ReadsEachCardOnceWithItsDriverAndUsbPort) {
  write("sys/bus/usb/drivers/r8152/bind", "");
  write("sys/devices/usb2/2-1/speed", "480");
  write("sys/devices/usb2/2-1/2-1:1.0/bInterfaceNumber", "00");
  write("sys/class/net/enx0/duplex", "half");
  fs::create_directory_symlink(root() / "sys/bus/usb/drivers/r8152",
                               root() / "sys/devices/usb2/2-1/2-1:1.0/driver");
  fs::create_directory_symlink(root() / "sys/devices/usb2/2-1/2-1:1.0",
                               root() / "sys/class/net/enx0/device");
  write("sys/class/net/wlan0/wireless/link", "0");
  const auto pc = read({{.name = "lo", .address = "127.0.0.1"},
                        {.name = "enx0", .address = "198.18.0.2"},
                        {.name = "enx0", .address = "fd00::2"},
                        {.name = "wlan0", .address = "198.18.1.2"}});
  ASSERT_EQ(pc.cards.size(), 2U);
  EXPECT_EQ(pc.cards[0].driver, "r8152");
  EXPECT_EQ(pc.cards[0].usb_mbit, 480);
  EXPECT_TRUE(pc.cards[0].is_half_duplex);
  EXPECT_FALSE(pc.cards[0].is_wireless);
  EXPECT_TRUE(pc.cards[1].is_wireless);
  EXPECT_EQ(pc.cards[1].usb_mbit, 0);
}

TEST_F(PcReadingTest, FindsLoopbackDevicesAndWhetherTheirDriverCanBeLoaded) {
  write("proc/sys/kernel/osrelease", "6.1.0-28-amd64");
  write("sys/class/video4linux/video0/name", "Webcam");
  write("lib/modules/6.1.0-27-amd64/modules.dep", "updates/dkms/v4l2loopback.ko: kernel/v4l.ko");
  write("lib/modules/6.1.0-28-amd64/modules.dep", "kernel/user.ko: updates/dkms/v4l2loopback.ko");
  EXPECT_FALSE(read().loopback.is_installed);
  write("usr/src/v4l2loopback-0.12.7/dkms.conf", "");
  EXPECT_TRUE(read().loopback.is_installed);
  EXPECT_FALSE(read().loopback.is_built) << "for another kernel, or needed by another module";
  EXPECT_TRUE(read().loopback.devices.empty());

  write("lib/modules/6.1.0-28-amd64/modules.dep", "updates/dkms/v4l2loopback.ko.xz: kernel/v4l.ko");
  write("sys/class/video4linux/video10/max_openers", "10");
  EXPECT_TRUE(read().loopback.is_built);
  EXPECT_EQ(read().loopback.devices, std::vector<std::string>{"video10"});
}

TEST_F(PcReadingTest, TellsWhetherBrowsersListTheLoopbackDevices) {
  const auto* const caps = "sys/module/v4l2loopback/parameters/exclusive_caps";
  write("sys/class/video4linux/video10/max_openers", "10");
  EXPECT_TRUE(read().loopback.has_exclusive_caps) << "the driver tells nothing";
  write(caps, "N,N,N");
  EXPECT_FALSE(read().loopback.has_exclusive_caps);
  write(caps, "Y,N,N");
  EXPECT_TRUE(read().loopback.has_exclusive_caps);
  write("sys/class/video4linux/video11/max_openers", "10");
  EXPECT_FALSE(read().loopback.has_exclusive_caps) << "only the first has them";
}

TEST_F(PcReadingTest, NamesTheCamerasThatThisUserMayNotOpen) {
  write("sys/class/video4linux/video0/name", "Webcam");
  write("sys/class/video4linux/video1/name", "Grabber");
  write("sys/class/video4linux/video2/name", "unplugged");
  write("dev/video0", "");
  write("dev/video1", "");
  fs::permissions(root(), fs::perms::all);
  fs::permissions(root() / "dev/video0", fs::perms::none);
  fs::permissions(root() / "dev/video1", static_cast<fs::perms>(0666));
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const auto closed = read().closed_cameras;
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(closed, std::vector<std::string>{"video0"});
}

TEST(PcReading, ReadsTheRealPc) {
  const auto pc = read_pc("/", link::list_interfaces());
  EXPECT_FALSE(pc.kernel.empty());
}

}  // namespace
}  // namespace submix::doctor
