// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/examine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

CardState healthy_card() {
  return {.interface = {.name = "eth0",
                        .address = "198.18.0.2",
                        .prefix_length = 24,
                        .mtu_bytes = 1500,
                        .speed_mbit = 1000,
                        .is_up = true,
                        .speed_max_mbit = 1000},
          .driver = "e1000e"};
}

Finding of_card(const CardState& card) {
  return examine_cards({card}).front();
}

Rights all_rights() {
  return {.realtime = "by the node's own right", .memory_lock = {}, .descriptors_max = 1'048'576};
}

PcReading fast_pc() {
  return {.cards = {},
          .governors = {{"performance", 4}},
          .frequency_driver = "intel_pstate",
          .kernel = "6.1.0-28-amd64"};
}

Finding of_subject(const Findings& findings, const std::string& subject) {
  for (const auto& finding : findings) {
    if (finding.subject == subject) return finding;
  }
  ADD_FAILURE() << "nothing was found about " << subject;
  return {};
}

TEST(ExamineCards, TellsSpeedDriverMtuAndAddress) {
  const auto finding = of_card(healthy_card());
  EXPECT_EQ(finding.grade, Grade::good);
  EXPECT_EQ(finding.subject, "card eth0");
  EXPECT_EQ(finding.found, "1 Gbit/s, driver e1000e, MTU 1500, 198.18.0.2");
  EXPECT_THAT(finding.remedy, IsEmpty());
}

TEST(ExamineCards, ACableThatNegotiatedATenthIsBad) {
  auto card = healthy_card();
  card.interface.speed_mbit = 100;
  const auto finding = of_card(card);
  EXPECT_EQ(finding.grade, Grade::bad);
  EXPECT_THAT(finding.found, HasSubstr("runs at 100 Mbit/s of 1 Gbit/s"));
  EXPECT_THAT(finding.remedy, HasSubstr("replace the cable"));
}

TEST(ExamineCards, AFastCardBelowItsSpeedIsANote) {
  auto card = healthy_card();
  card.interface.speed_max_mbit = 10'000;
  EXPECT_EQ(of_card(card).grade, Grade::note);
}

TEST(ExamineCards, AnUnknownSpeedIsNoFault) {
  auto card = healthy_card();
  card.interface.speed_mbit = 0;
  const auto finding = of_card(card);
  EXPECT_EQ(finding.grade, Grade::good);
  EXPECT_THAT(finding.found, HasSubstr("unknown speed"));
}

TEST(ExamineCards, HalfDuplexAndWirelessAreBad) {
  auto half = healthy_card();
  half.is_half_duplex = true;
  EXPECT_EQ(of_card(half).grade, Grade::bad);
  auto wireless = healthy_card();
  wireless.is_wireless = true;
  EXPECT_EQ(of_card(wireless).grade, Grade::bad);
  EXPECT_EQ(examine_cards({wireless, healthy_card()}).front().grade, Grade::note);
}

TEST(ExamineCards, AGigabitCardAtUsb2IsBad) {
  auto card = healthy_card();
  card.usb_mbit = 480;
  const auto finding = of_card(card);
  EXPECT_EQ(finding.grade, Grade::bad);
  EXPECT_THAT(finding.found, HasSubstr("480 Mbit/s only"));
}

TEST(ExamineCards, ACardWithoutHardwareIsNotJudged) {
  auto tunnel = healthy_card();
  tunnel.driver = "";
  tunnel.interface.speed_mbit = 10;
  EXPECT_TRUE(examine_cards({tunnel}).empty());
}

TEST(ExamineCards, WithoutACableNothingIsReached) {
  auto card = healthy_card();
  card.interface.is_up = false;
  const auto findings = examine_cards({card});
  EXPECT_EQ(findings.front().grade, Grade::note);
  EXPECT_THAT(of_subject(findings, "network").found, HasSubstr("no card is up"));
  EXPECT_EQ(examine_cards({}).size(), 1U);
}

TEST(ExamineRights, AllRightsAreGood) {
  for (const auto& finding : examine_rights(all_rights()))
    EXPECT_EQ(finding.grade, Grade::good) << finding.subject;
}

TEST(ExamineRights, WithoutRealTimeFramesSufferAndFixMendsIt) {
  auto rights = all_rights();
  rights.realtime = fail("no right to real-time scheduling");
  const auto finding = of_subject(examine_rights(rights), "real-time scheduling");
  EXPECT_EQ(finding.grade, Grade::bad);
  EXPECT_TRUE(finding.can_mend);
  EXPECT_THAT(finding.remedy, HasSubstr("--fix"));
}

TEST(ExamineRights, OfRootSayNothingAboutThePersonWhoCalledSudo) {
  auto rights = all_rights();
  rights.is_by_sudo = true;
  const auto findings = examine_rights(rights);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].grade, Grade::note);
  EXPECT_THAT(findings[0].remedy, HasSubstr("without sudo"));
}

TEST(ExamineRights, PagingAndFewFilesAreNotes) {
  auto rights = all_rights();
  rights.memory_lock = fail("no right to lock more than 8192 KiB of memory");
  rights.descriptors_max = 1024;
  const auto findings = examine_rights(rights);
  EXPECT_EQ(of_subject(findings, "memory lock").grade, Grade::note);
  EXPECT_EQ(of_subject(findings, "open files").grade, Grade::note);
}

TEST(ExamineProcessors, TheGovernorPerformanceIsGood) {
  const auto finding = of_subject(examine_processors(fast_pc()), "processor frequency");
  EXPECT_EQ(finding.grade, Grade::good);
  EXPECT_EQ(finding.found, "performance on 4 processors (intel_pstate)");
}

TEST(ExamineProcessors, PowersaveIsTheLowestFrequencyWithOldDriversOnly) {
  auto pc = fast_pc();
  pc.governors = {{"powersave", 4}};
  EXPECT_EQ(of_subject(examine_processors(pc), "processor frequency").grade, Grade::note);
  pc.frequency_driver = "acpi-cpufreq";
  const auto finding = of_subject(examine_processors(pc), "processor frequency");
  EXPECT_EQ(finding.grade, Grade::bad);
  EXPECT_TRUE(finding.can_mend);
}

TEST(ExamineProcessors, OneSlowProcessorAmongFastOnesIsFound) {
  auto pc = fast_pc();
  pc.governors = {{"performance", 3}, {"powersave", 1}};
  pc.frequency_driver = "acpi-cpufreq";
  const auto finding = of_subject(examine_processors(pc), "processor frequency");
  EXPECT_EQ(finding.grade, Grade::bad);
  EXPECT_THAT(finding.found, HasSubstr("powersave on 1 processor "));
}

TEST(ExamineProcessors, HeatBatteryAndAnOldKernelAreTold) {
  auto pc = fast_pc();
  pc.times_throttled = 12;
  pc.is_on_battery = true;
  pc.kernel = "5.10.0-30-amd64";
  const auto findings = examine_processors(pc);
  EXPECT_THAT(of_subject(findings, "heat").found, HasSubstr("12 times"));
  EXPECT_EQ(of_subject(findings, "power").grade, Grade::bad);
  EXPECT_EQ(of_subject(findings, "kernel").grade, Grade::note);
}

TEST(ExamineLoopback, SaysNothingWhereNobodyInstalledIt) {
  EXPECT_THAT(examine_loopback(fast_pc()), IsEmpty());
}

TEST(ExamineLoopback, NamesTheDevicesThatCanBeWritten) {
  auto pc = fast_pc();
  pc.loopback = {.is_installed = true, .is_built = true, .devices = {"video10", "video11"}};
  const auto finding = of_subject(examine_loopback(pc), "camera-out");
  EXPECT_EQ(finding.grade, Grade::good);
  EXPECT_EQ(finding.found, "can write video10, video11");
  pc.loopback.is_installed = false;
  EXPECT_EQ(of_subject(examine_loopback(pc), "camera-out"), finding) << "built by hand";
}

TEST(ExamineLoopback, AnInstalledDriverThatIsNotLoadedIsANoteWithTheCommand) {
  auto pc = fast_pc();
  pc.loopback = {.is_installed = true, .is_built = true};
  const auto finding = of_subject(examine_loopback(pc), "camera-out");
  EXPECT_EQ(finding.grade, Grade::note);
  EXPECT_THAT(finding.found, HasSubstr("is not loaded"));
  EXPECT_EQ(finding.remedy, "sudo modprobe v4l2loopback exclusive_caps=1 card_label=Submix");
}

TEST(ExamineLoopback, ADriverThatIsNotBuiltForTheRunningKernelIsBuiltFirst) {
  auto pc = fast_pc();
  pc.loopback.is_installed = true;
  const auto finding = of_subject(examine_loopback(pc), "camera-out");
  EXPECT_EQ(finding.grade, Grade::note);
  EXPECT_THAT(finding.found, HasSubstr("not built for Linux 6.1.0-28-amd64"));
  EXPECT_THAT(finding.remedy, HasSubstr("linux-headers-6.1.0-28-amd64 && sudo dkms autoinstall && "
                                        "sudo modprobe v4l2loopback"));
}

TEST(ExamineLoopback, DevicesThatBrowsersDoNotListAreANoteWithTheCommands) {
  auto pc = fast_pc();
  pc.loopback = {.is_installed = true, .is_built = true, .devices = {"video10"}};
  pc.loopback.has_exclusive_caps = false;
  const auto finding = of_subject(examine_loopback(pc), "camera-out");
  EXPECT_EQ(finding.grade, Grade::note);
  EXPECT_THAT(finding.found, HasSubstr("can write video10; browsers do not list"));
  EXPECT_THAT(finding.remedy, HasSubstr("modprobe -r v4l2loopback && sudo modprobe v4l2loopback "
                                        "exclusive_caps=1"));
}

TEST(ExamineCameras, ThatThisUserMayNotOpenAreANoteWithTheGroup) {
  auto pc = fast_pc();
  EXPECT_THAT(examine_cameras(pc), IsEmpty());
  pc.closed_cameras = {"video0", "video1"};
  const auto finding = of_subject(examine_cameras(pc), "cameras");
  EXPECT_EQ(finding.grade, Grade::note);
  EXPECT_EQ(finding.found, "this user may not open video0, video1");
  EXPECT_THAT(finding.remedy, HasSubstr("sudo adduser \"$USER\" video"));
}

TEST(ExamineMemory, LittleMemoryIsANoteAndNoneIsBad) {
  EXPECT_EQ(examine_memory(8'000'000'000).grade, Grade::good);
  EXPECT_EQ(examine_memory(1'000'000'000).grade, Grade::note);
  EXPECT_EQ(examine_memory(100'000'000).grade, Grade::bad);
}

TEST(ExamineFolder, AFullDiskAndAForbiddenFolderAreBad) {
  const FolderState roomy{
      .subject = "recordings", .folder = "/srv", .writable = {}, .free_bytes = 90'000'000'000};
  EXPECT_EQ(examine_folder(roomy).grade, Grade::good);
  auto full = roomy;
  full.free_bytes = 1000;
  EXPECT_EQ(examine_folder(full).grade, Grade::bad);
  auto forbidden = roomy;
  forbidden.writable = fail("/srv cannot be written: Permission denied");
  EXPECT_EQ(examine_folder(forbidden).grade, Grade::bad);
  EXPECT_THAT(examine_folder(forbidden).found, HasSubstr("Permission denied"));
}

TEST(ExaminePlugins, NoEffectIsANoteWithThePackage) {
  EXPECT_EQ(examine_plugins(136).grade, Grade::good);
  EXPECT_THAT(examine_plugins(0).remedy, HasSubstr("frei0r-plugins"));
}

}  // namespace
}  // namespace submix::doctor
