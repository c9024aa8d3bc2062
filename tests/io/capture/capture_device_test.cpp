// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/capture_device.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const std::vector<Camera> kCameras{{"/dev/video0", "HD Pro Webcam C920"},
                                   {"/dev/video4", "USB3 HDMI Grabber"}};

Result<CaptureInput> find(const std::string& device) {
  return find_capture({.device = device, .size = {1280, 720}, .rate = {30, 1}}, kCameras);
}

TEST(CaptureDevice, IsTheFirstCameraWhereNobodyNamesOne) {
  EXPECT_EQ(find("").value().name, "/dev/video0");
}

TEST(CaptureDevice, IsALoopbackDeviceOnlyWhereNoOtherCameraIs) {
  const Camera loopback{"/dev/video0", "Submix", true};
  const auto first = [](const std::vector<Camera>& cameras) {
    return find_capture({"", {1280, 720}, {30, 1}}, cameras).value().name;
  };
  EXPECT_EQ(first({loopback, {"/dev/video2", "Webcam"}}), "/dev/video2");
  EXPECT_EQ(first({loopback}), "/dev/video0");
}

TEST(CaptureDevice, IsFoundByItsFileItsNumberOrAPartOfItsName) {
  for (const auto* device : {"/dev/video4", "video4", "HDMI", "hdmi grab"})
    EXPECT_EQ(find(device).value().name, "/dev/video4") << device;
}

TEST(CaptureDevice, ThatIsMissingIsNamedBesideThoseThatAreThere) {
  const auto found = find("video1");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "no camera \"video1\" is here; this computer has video0 (HD Pro Webcam C920), "
            "video4 (USB3 HDMI Grabber)");
  EXPECT_THAT(why(find_capture({"video1", {}, {}}, {})), HasSubstr("has none"));
  EXPECT_THAT(why(find_capture({}, {})), HasSubstr("screen"));
}

TEST(CaptureDevice, ACameraIsAskedForTheShowsSizeAndRateAndThenForAnything) {
  const auto kClock = Pair("timestamps", "abs");
  const auto attempts = find("").value().attempts;
  ASSERT_EQ(attempts.size(), 3U);
  EXPECT_THAT(attempts[0], ElementsAre(kClock, Pair("video_size", "1280x720"),
                                       Pair("framerate", "30/1"), Pair("input_format", "mjpeg")));
  EXPECT_THAT(attempts[1],
              ElementsAre(kClock, Pair("video_size", "1280x720"), Pair("framerate", "30/1")));
  EXPECT_THAT(attempts[2], ElementsAre(kClock));
}

TEST(CaptureDevice, AScreenIsOneOfThisComputer) {
  const auto screen = find("screen :3").value();
  EXPECT_EQ(screen.format, "x11grab");
  EXPECT_EQ(screen.name, ":3");
  EXPECT_EQ(find("screen :0.1").value().name, ":0.1");
}

// A show comes from other people, and FFmpeg's devices can read files and reach other computers.
TEST(CaptureDevice, AnyOtherNameIsRefused) {
  for (const auto* device :
       {"/etc/passwd", "/dev/sda", "/dev/video", "/dev/video0/../sda", "/dev/video-1",
        "screen other:0", "screen 198.51.100.7:0", "screen :", "screen :0+10,20", "screen  :0",
        "screen unix:0", "screen :63758", "screen :0.:5", "screen :0.0.0", "screen :x",
        "lavfi/movie", "//dev/video0"})
    EXPECT_FALSE(check_capture_name(device)) << device;
  EXPECT_FALSE(check_capture_name(std::string(1000, 'a')));
  for (const auto* device : {"", "video0", "/dev/video63", "Webcam", "screen", "screen :1"})
    EXPECT_TRUE(check_capture_name(device)) << device;
}

TEST(CaptureDevice, IsOfferedByItsShortName) {
  ::setenv("DISPLAY", ":5", 1);
  EXPECT_THAT(capture_devices(kCameras), ElementsAre(CaptureDevice{"video0", "HD Pro Webcam C920"},
                                                     CaptureDevice{"video4", "USB3 HDMI Grabber"},
                                                     CaptureDevice{"screen", ""}));
  EXPECT_EQ(find("screen").value().name, ":5");
  ::unsetenv("DISPLAY");
  EXPECT_EQ(capture_devices({}).size(), 0U);
  EXPECT_FALSE(find("screen"));
  const std::vector<Camera> many(1000, kCameras[0]);
  EXPECT_LE(capture_devices(many).size(), kCaptureDevicesMax);
}

TEST(Cameras, AreListedByNumberOnceEach) {
  const testing::TemporaryFolder folder;
  const auto add = [&](const std::string& file, const std::string& name, const char* index) {
    std::filesystem::create_directory(folder / file);
    ASSERT_TRUE(write_file_atomically(folder / file / "name", name + "\n"));
    ASSERT_TRUE(write_file_atomically(folder / file / "index", index));
  };
  add("video10", "Grabber", "0\n");
  add("video2", "Evil\x1b[2J camera", "0\n");
  add("video3", "Evil\x1b[2J camera", "1\n");  // statistics of the same one
  add("v4l-subdev0", "sensor", "0\n");
  EXPECT_THAT(find_cameras(folder.path()), ElementsAre(Camera{"/dev/video2", "Evil\\x1b[2J camera"},
                                                       Camera{"/dev/video10", "Grabber"}));
  EXPECT_TRUE(find_cameras(folder / "missing").empty());
  ASSERT_TRUE(write_file_atomically(folder / "video10" / "max_openers", "10\n"));
  EXPECT_THAT(find_cameras(folder.path()).back(), (Camera{"/dev/video10", "Grabber", true}))
      << "by a file that only v4l2loopback adds";
}

}  // namespace
}  // namespace submix::io
