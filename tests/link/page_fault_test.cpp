// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace submix::link {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

/// Of the whole process: both ends of the stream are in it.
long page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

class StreamPageFaults : public testing::StreamFixture {
 protected:
  void expect_none(wire::Checksum checksum);
};

void StreamPageFaults::expect_none(wire::Checksum checksum) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer touches memory of its own";
  constexpr int kWarmUp = 200;
  constexpr int kFrames = 1000;
  const auto receiver = open_receiver();
  const auto sender = open_sender(kSize, checksum);
  const auto picture = frame(0);
  long before = 0;
  for (int i = 0; i < kWarmUp + kFrames; ++i) {
    if (i == kWarmUp) before = page_faults();
    ASSERT_TRUE(sender->send(picture, {}));
    ASSERT_TRUE(receiver->receive_for(testing::kPatience, {}));
  }
  EXPECT_EQ(page_faults() - before, 0);
}

TEST_F(StreamPageFaults, AreNoneForAFrameOnceTheStreamRuns) {
  expect_none(wire::Checksum::none);
}

TEST_F(StreamPageFaults, AreNoneForAFrameWithChecksumsEither) {
  expect_none(wire::Checksum::xxh3);
}

TEST_F(StreamPageFaults, AreNoneForAFrameBySharedMemory) {
  if (kIsSanitized) GTEST_SKIP() << "the sanitizer touches memory of its own";
  constexpr int kWarmUp = 200;
  constexpr int kFrames = 1000;
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  sender->set_destination("mix", mix->endpoints(), mix->local_door());
  media::FramePool shared_pool(kSize, 12, media::Backing::shared);
  unsigned sum = 0;
  long before = 0;
  for (int i = 0; i < kWarmUp + kFrames; ++i) {
    if (i == kWarmUp) before = page_faults();
    auto picture = shared_pool.acquire_for(testing::kPatience);
    ASSERT_TRUE(picture);
    for (auto& value : picture->rgba())
      value = static_cast<std::uint8_t>(i);
    ASSERT_TRUE(sender->send(std::move(*picture).publish(), {}));
    const auto received = receiver->receive_for(testing::kPatience, {});
    ASSERT_TRUE(received);
    for (const auto value : received->rgba())
      sum += value;
  }
  EXPECT_EQ(page_faults() - before, 0);
  EXPECT_NE(sum, 0U);
  EXPECT_EQ(sender->telemetry().links.at(0).local, "shared memory");
}

}  // namespace
}  // namespace submix::link
