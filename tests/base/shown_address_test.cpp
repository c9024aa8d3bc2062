// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/shown_address.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(ShownAddress, HasNoUserNoPathAndNoOptions) {
  EXPECT_EQ(shown_address("srt://198.51.100.7:9000?passphrase=horse"), "srt://198.51.100.7:9000");
  EXPECT_EQ(shown_address("rtmp://vj:horse@live.example/app/key"), "rtmp://live.example");
  EXPECT_EQ(shown_address("rtmp://vj:ho/rse@live.example/app"), "rtmp://live.example");
  EXPECT_EQ(shown_address("rtsp://[fd00::2]:554/mix"), "rtsp://[fd00::2]:554");
  EXPECT_EQ(shown_address("udp://"), "udp://");
}

TEST(ShownAddress, LeavesAnotherTextAsItIs) {
  EXPECT_EQ(shown_address("clips/a@b?.mkv"), "clips/a@b?.mkv");
  EXPECT_EQ(shown_address(""), "");
}

}  // namespace
}  // namespace submix
