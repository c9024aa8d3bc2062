// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/stream_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

// Counts for the whole program; a sanitizer brings an operator new of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUBMIX_TEST_CANNOT_COUNT
#else
namespace {
std::atomic<std::uint64_t> allocations{0};
}  // namespace

void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* place = std::malloc(bytes)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
#endif

namespace submix::link {
namespace {

class StreamAllocation : public testing::StreamFixture {
 protected:
  void expect_none(media::PixelFormat format);
};

void StreamAllocation::expect_none([[maybe_unused]] media::PixelFormat format) {
#ifdef SUBMIX_TEST_CANNOT_COUNT
  GTEST_SKIP() << "the sanitizer allocates in its own way";
#else
  const auto receiver = open_receiver(format);
  const auto sender = open_sender();
  pool = media::FramePool(kSize, 1, media::Backing::own, format);
  const auto picture = frame(0);
  std::uint64_t before = 0;
  for (int i = 0; i < 1100; ++i) {
    if (i == 100) before = allocations.load();
    ASSERT_TRUE(sender->send(picture, {}));
    ASSERT_TRUE(receiver->receive_for(testing::kPatience, {}));
  }
  EXPECT_EQ(allocations.load() - before, 0U);
#endif
}

TEST_F(StreamAllocation, IsNoneForAFrameOnceTheStreamRuns) {
  expect_none(media::PixelFormat::rgba);
}

TEST_F(StreamAllocation, IsNoneForAnRgb24FrameEither) {
  expect_none(media::PixelFormat::rgb24);
}

TEST_F(StreamAllocation, IsNoneForAFrameBySharedMemory) {
#ifdef SUBMIX_TEST_CANNOT_COUNT
  GTEST_SKIP() << "the sanitizer allocates in its own way";
#else
  const auto receiver = open_receiver();
  const auto sender = open_sender();
  sender->set_destination("mix", mix->endpoints(), mix->local_door());
  media::FramePool shared_pool(kSize, 12, media::Backing::shared);
  std::uint64_t before = 0;
  for (int i = 0; i < 1100; ++i) {
    if (i == 100) before = allocations.load();
    auto picture = shared_pool.acquire_for(testing::kPatience);
    ASSERT_TRUE(picture);
    ASSERT_TRUE(sender->send(std::move(*picture).publish(), {}));
    ASSERT_TRUE(receiver->receive_for(testing::kPatience, {}));
  }
  EXPECT_EQ(allocations.load() - before, 0U);
  EXPECT_EQ(sender->telemetry().links.at(0).local, "shared memory");
#endif
}

}  // namespace
}  // namespace submix::link
