// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/picture_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::io {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(PictureHeaders, OfAMatroskaClusterInGoldenBytes) {
  EXPECT_THAT(matroska_cluster(0x012345, milliseconds(0x0A0B)),
              ElementsAre(0x1F, 0x43, 0xB6, 0x75,                    // Cluster
                          0x01, 0, 0, 0, 0, 0x01, 0x23, 0x63,        // 30 bytes and the picture
                          0xE7, 0x01, 0, 0, 0, 0, 0, 0, 0x08,        // Timestamp of 8 bytes
                          0, 0, 0, 0, 0, 0, 0x0A, 0x0B,              //
                          0xA3, 0x01, 0, 0, 0, 0, 0x01, 0x23, 0x49,  // SimpleBlock
                          0x81, 0, 0, 0x80));                        // track 1, at 0 ms, a key
}

TEST(PictureHeaders, OfY4m) {
  EXPECT_EQ(y4m_header({320, 240}, {30000, 1001}),
            "YUV4MPEG2 W320 H240 F30000:1001 Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
}

}  // namespace
}  // namespace submix::io
