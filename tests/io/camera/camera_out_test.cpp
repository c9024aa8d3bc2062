// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/camera/camera_out.hpp"

#include "common/base/files.hpp"
#include "node/io/camera/loopback_camera.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Camera kWebcam{"/dev/video0", "HD Pro Webcam C920"};
const Camera kSubmix{"/dev/video10", "Submix", true};
const Camera kOther{"/dev/video11", "OBS", true};

TEST(LoopbackDevices, AreAllForAnEmptyNameAndOneForItsNumberOrAPartOfItsName) {
  const std::vector cameras{kWebcam, kSubmix, kOther};
  EXPECT_THAT(find_loopbacks("", cameras).value(), ElementsAre(kSubmix, kOther));
  for (const auto* device : {"/dev/video11", "video11", "obs"})
    EXPECT_THAT(find_loopbacks(device, cameras).value(), ElementsAre(kOther)) << device;
}

TEST(LoopbackDevices, AreNeverACameraThatHasPicturesOfItsOwn) {
  for (const auto* device : {"video0", "Webcam"}) {
    const auto found = find_loopbacks(device, {kWebcam, kSubmix});
    ASSERT_FALSE(found) << device;
    EXPECT_THAT(found.error().message, HasSubstr("this computer has video10 (Submix)"));
  }
}

TEST(LoopbackDevices, ThatAreMissingAreAskedForWithTheCommandThatLoadsThem) {
  const auto found = find_loopbacks("", {kWebcam});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message,
              HasSubstr("sudo apt install v4l2loopback-dkms && sudo modprobe v4l2loopback "
                        "exclusive_caps=1 card_label=Submix"));
}

TEST(LoopbackDevices, AreOfferedByTheirShortNamesWithoutOtherCameras) {
  EXPECT_THAT(loopback_devices({kWebcam, kSubmix, kOther}),
              ElementsAre(CaptureDevice{"video10", "Submix"}, CaptureDevice{"video11", "OBS"}));
  EXPECT_THAT(loopback_devices({kWebcam}), ElementsAre());
  EXPECT_LE(loopback_devices(std::vector(1000, kSubmix)).size(), kCaptureDevicesMax);
}

TEST(LoopbackCamera, WritesNoFileAndOpensNoOtherDevice) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "file", "precious"));
  std::filesystem::create_symlink("/dev/null", folder / "video12");
  for (const std::filesystem::path& file :
       {folder / "file", folder / "video12", std::filesystem::path("/dev/null")}) {
    const auto opened = LoopbackCamera::open({file, "Evil", true}, {128, 64}, {30, 1});
    ASSERT_FALSE(opened) << file;
    EXPECT_THAT(opened.error().message, HasSubstr("is no video device")) << file;
  }
  EXPECT_EQ(read_text_file(folder / "file").value(), "precious");
}

TEST(LoopbackCamera, HasAnEvenSize) {
  EXPECT_EQ(camera_size({1280, 720}), (Size{1280, 720}));
  EXPECT_EQ(camera_size({321, 241}), (Size{320, 240}));
}

TEST(CameraOut, IsRefusedForANameThatNoDeviceHas) {
  testing::PluginRig rig;
  for (const auto* device : {"/etc/passwd", "/dev/sda", "/dev/video0/../sda", "/dev/video-1"}) {
    const auto made =
        make_camera_out(rig.setup(camera_out_description(), {{"device", std::string(device)}}));
    ASSERT_FALSE(made) << device;
    EXPECT_THAT(made.error().message, HasSubstr("left.camera-out: "));
  }
}

TEST(CameraOut, PassesItsFramesOnAndTellsWhatItLacks) {
  testing::PluginRig rig;
  const auto made = make_camera_out(
      rig.setup(camera_out_description(), {{"device", std::string("no such device")}}));
  ASSERT_TRUE(made) << made.error().message;
  for (std::uint64_t position = 0; position < 5; ++position) {
    const auto frame = rig.blank().publish();
    EXPECT_EQ(rig.run(**made, {frame}, position).rgba().data(), frame.rgba().data());
  }
  ASSERT_TRUE(testing::eventually([&] { return !(*made)->trouble().empty(); }));
  EXPECT_THAT((*made)->trouble(), HasSubstr("the show goes on; tried again every 2 s"));
  EXPECT_EQ(testing::counter(**made, "written"), 0U);
  EXPECT_EQ(testing::counter(**made, "not_written"), 4U) << "the last one waits";

  (*made)->set("device", std::string("/etc/passwd"));
  EXPECT_THAT((*made)->trouble(), HasSubstr("the device before stays"));
}

}  // namespace
}  // namespace submix::io
