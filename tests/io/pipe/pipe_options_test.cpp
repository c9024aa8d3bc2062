// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::io {
namespace {

using ::testing::HasSubstr;

TEST(PipeOptions, AreReadFromWhatThePipeCommandWrites) {
  const auto out = parse_pipe_options("out,matroska,5,6").value();
  EXPECT_EQ(out.direction, PipeDirection::out);
  EXPECT_EQ(out.format, PipeFormat::matroska);
  EXPECT_EQ(out.data, 5);
  EXPECT_EQ(out.status, 6);
  EXPECT_FALSE(out.is_lossless);

  const auto in = parse_pipe_options("in,raw,5,6,30000/1001,640x360,lossless").value();
  EXPECT_EQ(in.direction, PipeDirection::in);
  EXPECT_EQ(in.format, PipeFormat::raw);
  EXPECT_EQ(in.size, (Size{640, 360}));
  EXPECT_EQ(in.rate, (FrameRate{30000, 1001}));
  EXPECT_TRUE(in.is_lossless);
}

TEST(PipeOptions, RefuseAllElseAndPointToTheCommand) {
  for (const auto* text :
       {"", "out", "out,matroska,5", "up,raw,5,6", "out,mpeg,5,6", "out,raw,5,x", "out,raw,,6",
        "in,raw,5,6", "in,raw,5,6,30/1", "in,raw,5,6,8x8", "in,raw,5,6,9000x9000", "in,y4m,5,6,0/1",
        "in,y4m,5,6,30/0", "in,y4m,5,6,30", "in,y4m,5,6,", "in,y4m,5,6,-1x20"}) {
    const auto options = parse_pipe_options(text);
    ASSERT_FALSE(options) << text;
    EXPECT_THAT(options.error().message, HasSubstr("submix pipe --help"));
  }
}

}  // namespace
}  // namespace submix::io
