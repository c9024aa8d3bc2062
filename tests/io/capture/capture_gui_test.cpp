// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/capture.hpp"

#include "tests/io/plugin_rig.hpp"
#include "tests/io/virtual_screen.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/open_descriptors.hpp"
#include "tests/support/plugin_counter.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;

using Rgb = std::array<int, 3>;
constexpr Rgb kOrange{255, 128, 0};
constexpr Rgb kTeal{0, 128, 128};
constexpr Rgb kUnlit{0, 0, 0};

/// The plugin `capture` at the screen of an X server.
class CaptureOfAScreen : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = testing::start_virtual_screen(folder_);
    if (!server_) GTEST_SKIP() << "Xvfb cannot be started";
    paint("#ff8000");
  }

  void make(show::Parameters parameters = {{"device", std::string("screen")},
                                           {"fit", std::string("stretch")}}) {
    auto made = make_capture(rig_.setup(capture_description(), std::move(parameters)));
    ASSERT_TRUE(made) << made.error().message;
    capture_ = std::move(*made);
  }
  void paint(const char* color) {
    auto painted = ChildProcess::start({"xsetroot", "-solid", color}, folder_ / "log");
    ASSERT_TRUE(painted) << painted.error().message;
    ASSERT_TRUE(eventually([&] { return painted->exit_status().has_value(); }));
    ASSERT_EQ(painted->exit_status(), 0);
  }
  /// The colour near a corner, away from the pointer in the middle.
  Rgb color() {
    const auto frame = rig_.make(*capture_, frames_++);
    const auto* pixel = &frame.rgba()[4 * 4];
    return {pixel[0], pixel[1], pixel[2]};
  }
  [[nodiscard]] std::uint64_t counter(std::string_view name) const {
    return testing::counter(*capture_, name);
  }

  testing::TemporaryFolder folder_;
  std::optional<ChildProcess> server_;
  testing::PluginRig rig_;
  std::unique_ptr<plugin::Plugin> capture_;
  std::uint64_t frames_ = 0;
};

TEST_F(CaptureOfAScreen, ShowsWhatIsOnItNow) {
  make();
  EXPECT_TRUE(eventually([&] { return color() == kOrange; }));
  paint("#008080");
  EXPECT_TRUE(eventually([&] { return color() == kTeal; }));
  EXPECT_EQ(capture_->trouble(), "");
  EXPECT_THAT(rig_.events.lines(), ElementsAre());
  EXPECT_GT(counter("captured"), 1U);
  EXPECT_GT(counter("age_us"), 0U) << "by the device's own time";
  EXPECT_LT(counter("age_us"), 2'000'000U);
}

TEST_F(CaptureOfAScreen, WaitsForTheFirstPictureWhereNoFrameHasAPace) {
  make();
  EXPECT_EQ(color(), kOrange);
}

TEST_F(CaptureOfAScreen, HasClearBarsWhereItsShapeIsAnother) {
  make({{"device", std::string("screen")}});
  const auto frame = rig_.make(*capture_, 0);  // 4:3 in 128x64
  EXPECT_EQ(frame.rgba()[3], 0) << "a layer below shows through";
  EXPECT_EQ(frame.rgba()[64 * 4 + 3], 255);
}

TEST_F(CaptureOfAScreen, ThatGoesAwayIsBlackAndToldOfAndComesBackByItself) {
  rig_.is_paced = true;
  make();
  ASSERT_TRUE(eventually([&] { return color() == kOrange; }));
  const std::string display = std::getenv("DISPLAY");
  server_->send_signal(SIGKILL);
  server_.reset();
  EXPECT_EQ(color(), kOrange) << "the last picture stays for a moment";
  EXPECT_TRUE(eventually([&] { return color() == kUnlit; }));
  ASSERT_TRUE(eventually([&] { return !capture_->trouble().empty(); }));
  EXPECT_THAT(capture_->trouble(), HasSubstr(display));
  EXPECT_TRUE(eventually([&] { return rig_.events.lines().size() == 1; }));
  EXPECT_THAT(rig_.events.lines().at(0), HasSubstr("tried again every 2 s"));

  server_ = testing::start_virtual_screen(folder_, display);
  ASSERT_TRUE(server_);
  paint("#008080");
  EXPECT_TRUE(eventually([&] { return color() == kTeal; }));
  EXPECT_EQ(capture_->trouble(), "");
  EXPECT_EQ(rig_.events.lines().size(), 2U) << "its loss and its return, once each";
}

TEST_F(CaptureOfAScreen, IsChangedWhileItRuns) {
  rig_.is_paced = true;
  make({{"device", std::string("no such camera")}, {"fit", std::string("stretch")}});
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(color(), kUnlit);
    return !capture_->trouble().empty();
  }));
  EXPECT_THAT(capture_->trouble(), HasSubstr("no camera \"no such camera\" is here"));
  capture_->set("device", std::string("screen"));
  EXPECT_TRUE(eventually([&] { return color() == kOrange; }));
  capture_->set("fit", std::string("letterbox"));
  EXPECT_TRUE(eventually([&] { return color() == kUnlit; })) << "a bar";
  capture_->set("fit", std::string("stretch"));
  EXPECT_TRUE(eventually([&] { return color() == kOrange; }));
  capture_->set("device", std::string("/etc/passwd"));
  EXPECT_THAT(capture_->trouble(), HasSubstr("the device before stays"));
  EXPECT_EQ(color(), kOrange);
}

TEST_F(CaptureOfAScreen, LeavesNothingOpen) {
  rig_.is_paced = true;
  const auto open_before = testing::open_descriptors();
  for (int i = 0; i < 5; ++i) {
    make();
    ASSERT_TRUE(eventually([&] { return color() == kOrange; }));
    capture_.reset();
  }
  EXPECT_TRUE(testing::has_open_again(open_before)) << testing::open_descriptors();
}

TEST(Capture, IsMadeWithoutItsDeviceWhichMayCome) {
  testing::PluginRig rig;
  rig.is_paced = true;
  const auto made = make_capture(
      rig.setup(capture_description(), {{"device", std::string("a camera of tomorrow")}}));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(rig.make(**made, 0).rgba()[0], 0);
}

TEST(Capture, IsRefusedForANameThatNoDeviceHas) {
  testing::PluginRig rig;
  const auto made = make_capture(
      rig.setup(capture_description(), {{"device", std::string("/home/somebody/.ssh/id_rsa")}}));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("left.capture: "));
}

}  // namespace
}  // namespace submix::io
