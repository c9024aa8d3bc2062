// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/borrowed_frames.hpp"
#include "common/media/frame_pool.hpp"
#include "common/media/mapped_memory.hpp"
#include "common/media/shared_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace submix::media {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Size kSize{64, 48};
constexpr std::size_t kFrameBytes = 64 * 48 * 4;

/// As from a socket: another descriptor of the same memory.
Descriptor received(const SharedMemory& memory) {
  return Descriptor(::dup(memory.descriptor()));
}

Frame gray_frame(FramePool& pool, std::uint8_t value) {
  auto frame = pool.try_acquire();
  std::fill(frame->rgba().begin(), frame->rgba().end(), value);
  return std::move(*frame).publish();
}

std::string refusal(Descriptor descriptor, std::size_t bytes) {
  const auto adopted = SharedMemory::adopt(std::move(descriptor), bytes);
  return adopted ? "adopted" : adopted.error().message;
}

struct RecordingLender final : FrameLender {
  void take_back(std::uint64_t number) override { returned.push_back(number); }
  std::vector<std::uint64_t> returned;
};

class BorrowedFramesTest : public ::testing::Test {
 protected:
  BorrowedPlace loan(std::uint64_t number, std::size_t offset_bytes = 0) {
    return {memory, offset_bytes, {.index = {number}}, lender, number};
  }

  std::shared_ptr<SharedMemory> memory = *SharedMemory::create(2 * kFrameBytes);
  std::shared_ptr<RecordingLender> lender = std::make_shared<RecordingLender>();
  std::unique_ptr<BorrowedFrames> frames = std::make_unique<BorrowedFrames>(kSize, 2);
};

TEST(SharedFramePool, ShowsItsFramesToWhoeverMapsItsMemory) {
  FramePool pool(kSize, 3, Backing::shared);
  const auto first = gray_frame(pool, 11);
  const auto second = gray_frame(pool, 22);
  const auto place = second.shared_place();
  ASSERT_TRUE(place);
  const auto mapped = SharedMemory::adopt(received(place->memory), 3 * kFrameBytes);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_NE((*mapped)->data(), place->memory.data());
  EXPECT_TRUE(std::equal(second.rgba().begin(), second.rgba().end(),
                         (*mapped)->data() + place->offset_bytes));
}

TEST(SharedFramePool, GivesHugePagesToEachFrameForUpToAThirdMoreMemory) {
  constexpr auto kHugeBytes = MappedMemory::kHugePageBytes;
  constexpr Size kXga{1024, 768};
  FramePool pool(kXga, 3, Backing::shared);
  std::vector<WritableFrame> frames;
  std::set<std::size_t> begins;
  while (auto frame = pool.try_acquire()) {
    const auto place = frame->shared_place();
    ASSERT_TRUE(place);
    const auto begin = place->offset_bytes - place->margin_bytes;
    EXPECT_EQ(begin % kHugeBytes, 0U);
    EXPECT_EQ((place->offset_bytes + frame->pixels().size()) % kHugeBytes, 0U);
    begins.insert(begin);
    frames.push_back(std::move(*frame));
  }
  EXPECT_THAT(begins, ElementsAre(0, 2 * kHugeBytes, 4 * kHugeBytes));
}

TEST(SharedFramePool, GivesNoMoreMemoryToFramesThatWouldTakeOverAThird) {
  constexpr Size kVga{640, 480};
  FramePool pool(kVga, 2, Backing::shared);
  const auto frame = pool.try_acquire();
  EXPECT_EQ(frame->shared_place()->margin_bytes, 0U);
  EXPECT_EQ(frame->shared_place()->memory.size_bytes(), 2 * kVga.pixels() * kBytesPerRgbaPixel);
}

TEST(OwnFramePool, ShowsItsFramesToNobody) {
  FramePool pool(kSize, 1);
  EXPECT_FALSE(gray_frame(pool, 1).shared_place());
}

TEST(SharedMemory, IsRefusedWhenItMayShrink) {
  const int unsealed = ::memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(::ftruncate(unsealed, 4096), 0);
  EXPECT_THAT(refusal(Descriptor(unsealed), 4096), HasSubstr("must be sealed"));
}

TEST(SharedMemory, IsRefusedWhenItIsNotAsLongAsWasSaid) {
  const auto memory = *SharedMemory::create(4096);
  EXPECT_THAT(refusal(received(*memory), 8192), HasSubstr("it has 4096 bytes, 8192 were said"));
}

TEST(SharedMemory, IsRefusedWhenItIsSomethingElse) {
  EXPECT_THAT(refusal(Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)), 4096),
              HasSubstr("not a memfd"));
  EXPECT_THAT(refusal(Descriptor(), 4096), HasSubstr("not a memfd"));
}

TEST(SharedMemory, GivesOthersADescriptorThatTheyCannotWriteBy) {
  const auto memory = SharedMemory::create(kPageBytes).value();
  const auto given = memory->open_for_reading().value();
  EXPECT_EQ(::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, given.get(), 0),
            MAP_FAILED);
  void* const read = ::mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED, given.get(), 0);
  ASSERT_NE(read, MAP_FAILED);
  EXPECT_NE(::mprotect(read, kPageBytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_LT(::write(given.get(), "x", 1), 0);
  ::munmap(read, kPageBytes);
}

TEST(SharedMemory, CannotBeTakenAwayFromWhoeverReadsIt) {
  const auto memory = *SharedMemory::create(4096);
  EXPECT_NE(::ftruncate(memory->descriptor(), 0), 0);
  EXPECT_EQ(errno, EPERM);
}

TEST_F(BorrowedFramesTest, AreTheMemoryThatTheyWereBorrowedFrom) {
  memory->data()[kFrameBytes] = 77;
  const auto frame = frames->borrow(loan(5, kFrameBytes));
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->rgba().data(), memory->data() + kFrameBytes);
  EXPECT_EQ(frame->rgba().size(), kFrameBytes);
  EXPECT_EQ(frame->size(), kSize);
  EXPECT_EQ(frame->stamp().index.value, 5U);
  EXPECT_EQ(frame->shared_place()->offset_bytes, kFrameBytes);
}

TEST_F(BorrowedFramesTest, AreNotDrawnOver) {
  auto frame = frames->borrow(loan(5));
  EXPECT_FALSE(frame->take_for_writing());
  EXPECT_TRUE(*frame);
}

TEST_F(BorrowedFramesTest, GoBackWhenTheLastCopyIsGone) {
  auto frame = frames->borrow(loan(5));
  auto copy = *frame;
  frame.reset();
  EXPECT_THAT(lender->returned, IsEmpty());
  EXPECT_EQ(frames->frames_out(), 1U);
  copy = {};
  EXPECT_THAT(lender->returned, ElementsAre(5));
  EXPECT_EQ(frames->frames_out(), 0U);
}

TEST_F(BorrowedFramesTest, MayBeOfOnePlaceWithDifferentStamps) {
  const auto earlier = frames->borrow(loan(1));
  const auto later = frames->borrow(loan(2));
  EXPECT_EQ(earlier->rgba().data(), later->rgba().data());
  EXPECT_EQ(earlier->stamp().index.value, 1U);
  EXPECT_EQ(later->stamp().index.value, 2U);
}

TEST_F(BorrowedFramesTest, AreAsManyAsTheirCapacityAndNoMore) {
  const auto first = frames->borrow(loan(1));
  auto second = frames->borrow(loan(2));
  EXPECT_FALSE(frames->borrow(loan(3)));
  second.reset();
  EXPECT_TRUE(frames->borrow(loan(4)));
}

TEST_F(BorrowedFramesTest, KeepTheirMemoryWhenAllElseIsGone) {
  memory->data()[0] = 42;
  auto frame = frames->borrow(loan(9));
  frames.reset();
  memory.reset();
  EXPECT_EQ(frame->rgba()[0], 42);
  frame.reset();
  EXPECT_THAT(lender->returned, ElementsAre(9));
}

}  // namespace
}  // namespace submix::media
