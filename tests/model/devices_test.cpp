// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const show::Port kCamera{"mix", "camera"};
const show::Port kCapture{"mix", "capture"};

/// Two PCs with devices; `mix` runs on `desk`.
ClusterView view_of_cameras() {
  show::Show show;
  show.nodes = {{"left", ""}, {"desk", ""}};
  auto& mix = show.submixes.emplace_back();
  mix.name = "mix";
  mix.node = "desk";
  mix.slots = {show::Slot{"capture", "capture", {}, {}, false},
               show::Slot{"camera", "camera-out", {}, {}, false}};

  ClusterView view;
  view.show = std::make_shared<const show::Show>(std::move(show));
  auto& submix = view.submixes.emplace_back();
  submix.name = "mix";
  submix.node = "desk";
  view.nodes.resize(2);
  view.nodes[0].name = "left";
  view.nodes[0].loopback_devices = {{"video5", "Left"}};
  view.nodes[1].name = "desk";
  view.nodes[1].capture_devices = {{"video0", "Webcam"}, {"screen", ""}};
  view.nodes[1].loopback_devices = {{"video10", "OBS Virtual Camera"}, {"video11", "Submix"}};
  return view;
}

std::vector<std::string> texts_of(const ClusterView& view, const show::Port& slot) {
  std::vector<std::string> texts;
  if (const auto choices = device_choices(view, slot, "device")) {
    for (const auto& choice : choices->devices)
      texts.push_back(choice.text);
  }
  return texts;
}

TEST(Devices, OfACaptureAreTheCamerasAndTheScreenOfItsPc) {
  EXPECT_THAT(texts_of(view_of_cameras(), kCapture),
              ElementsAre("the first camera", "Webcam (video0)", "screen"));
}

TEST(Devices, OfACameraOutAreTheLoopbackDevicesOfItsPc) {
  EXPECT_THAT(texts_of(view_of_cameras(), kCamera),
              ElementsAre("the first free loopback device", "OBS Virtual Camera (video10)",
                          "Submix (video11)"));
  const auto choices = device_choices(view_of_cameras(), kCamera, "device");
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->devices.at(1).device, "video10");
  EXPECT_THAT(choices->remedy, ElementsAre());
}

TEST(Devices, ThatAreMissingAreAskedForWithTheCommandsThatLoadThem) {
  auto view = view_of_cameras();
  view.nodes[1].loopback_devices.clear();
  const auto choices = device_choices(view, kCamera, "device");
  ASSERT_TRUE(choices);
  EXPECT_THAT(choices->remedy,
              ElementsAre(HasSubstr("PC desk tells of no loopback device"),
                          "sudo apt install v4l2loopback-dkms",
                          "sudo modprobe v4l2loopback exclusive_caps=1 card_label=Submix"));
  EXPECT_THAT(texts_of(view, kCamera), ElementsAre("the first free loopback device"));
}

TEST(Devices, AreShownByTheirNamesAndOtherwiseAsTheShowNamesThem) {
  const auto choices = device_choices(view_of_cameras(), kCamera, "device");
  ASSERT_TRUE(choices);
  EXPECT_EQ(device_text(*choices, ""), "the first free loopback device");
  EXPECT_EQ(device_text(*choices, "video11"), "Submix (video11)");
  EXPECT_EQ(device_text(*choices, "video63"), "video63") << "not loaded now";
}

TEST(Devices, AreNoChoicesForOtherParametersOrWithoutTheirPc) {
  auto view = view_of_cameras();
  EXPECT_FALSE(device_choices(view, kCamera, "wet"));
  EXPECT_FALSE(device_choices(view, {"mix", "gone"}, "device"));
  view.nodes[1].capture_devices.clear();
  EXPECT_FALSE(device_choices(view, kCapture, "device")) << "a name can be typed";
  view.nodes.clear();
  EXPECT_FALSE(device_choices(view, kCamera, "device"));
  EXPECT_FALSE(device_choices({}, kCamera, "device"));
}

}  // namespace
}  // namespace submix::model
