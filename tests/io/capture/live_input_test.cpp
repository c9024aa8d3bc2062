// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/capture/live_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/error.h>
}

#include <cerrno>

namespace submix::io {
namespace {

TEST(LiveInput, WaitsForALoopbackDeviceThatHasNoPictureYet) {
  EXPECT_TRUE(has_only_no_picture(AVERROR(EAGAIN), false));
  EXPECT_TRUE(has_only_no_picture(AVERROR(EAGAIN), true));
  EXPECT_TRUE(has_only_no_picture(AVERROR(EINVAL), false));
}

TEST(LiveInput, EndsWithADeviceThatFails) {
  EXPECT_FALSE(has_only_no_picture(0, false));
  EXPECT_FALSE(has_only_no_picture(AVERROR(EINVAL), true)) << "its writer changed the format";
  EXPECT_FALSE(has_only_no_picture(AVERROR(ENODEV), false));
  EXPECT_FALSE(has_only_no_picture(AVERROR(EIO), false));
}

TEST(LiveInput, ADeviceThatIsMissingIsNamed) {
  const auto input = LiveInput::open({"v4l2", "/dev/video-missing", {{}}}, {});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().message,
            "/dev/video-missing cannot be opened: it is not there, or gives no video");
}

TEST(LiveInput, SaysWhatAScreenNeeds) {
  const auto input = LiveInput::open({"x11grab", ":98", {{}}}, {});
  ASSERT_FALSE(input);
  EXPECT_THAT(input.error().message, ::testing::HasSubstr("X server has to run"));
}

}  // namespace
}  // namespace submix::io
