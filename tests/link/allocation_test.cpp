// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/allocation_count.hpp"
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

namespace submix::link {
namespace {

class StreamAllocation : public testing::StreamFixture {
 protected:
  void expect_none(media::PixelFormat format, wire::Checksum checksum = wire::Checksum::none);
};

void StreamAllocation::expect_none(media::PixelFormat format, wire::Checksum checksum) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer allocates in its own way";
  const auto receiver = open_receiver(format);
  const auto sender = open_sender(kSize, checksum);
  pool = media::FramePool(kSize, 1, media::Backing::own, format);
  const auto picture = frame(0);
  std::uint64_t before = 0;
  for (int i = 0; i < 1100; ++i) {
    if (i == 100) before = allocation_count();
    ASSERT_TRUE(sender->send(picture, {}));
    ASSERT_TRUE(receiver->receive_for(testing::kPatience, {}));
  }
  EXPECT_EQ(allocation_count() - before, 0U);
}

TEST_F(StreamAllocation, IsNoneForAFrameOnceTheStreamRuns) {
  expect_none(media::PixelFormat::rgba);
}

TEST_F(StreamAllocation, IsNoneForAnRgb24FrameEither) {
  expect_none(media::PixelFormat::rgb24);
}

TEST_F(StreamAllocation, IsNoneForAFrameWithChecksums) {
  expect_none(media::PixelFormat::rgba, wire::Checksum::xxh3);
}

TEST_F(StreamAllocation, IsNoneForAnRgb24FrameWithChecksumsEither) {
  expect_none(media::PixelFormat::rgb24, wire::Checksum::xxh3);
}

TEST_F(StreamAllocation, IsNoneForAFrameBySharedMemory) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer allocates in its own way";
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  sender->set_destination("mix", mix->endpoints(), mix->local_door());
  media::FramePool shared_pool(kSize, 12, media::Backing::shared);
  std::uint64_t before = 0;
  for (int i = 0; i < 1100; ++i) {
    if (i == 100) before = allocation_count();
    auto picture = shared_pool.acquire_for(testing::kPatience);
    ASSERT_TRUE(picture);
    ASSERT_TRUE(sender->send(std::move(*picture).publish(), {}));
    ASSERT_TRUE(receiver->receive_for(testing::kPatience, {}));
  }
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_EQ(sender->telemetry().links.at(0).local, "shared memory");
}

}  // namespace
}  // namespace submix::link
