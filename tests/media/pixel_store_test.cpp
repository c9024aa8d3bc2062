// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_store.hpp"

#include "common/media/frame_pool.hpp"
#include "tests/media/failing_allocations.hpp"

#include <gtest/gtest.h>

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace submix::media {
namespace {

constexpr Size kStoreSize{32, 16};

std::shared_ptr<PixelStore> store_for(Size size) {
  return std::make_shared<PixelStore>(size.pixels() * kBytesPerRgbaPixel);
}

TEST(PixelStore, GivesOnePoolWhatAnotherHasJustGivenBack) {
  const auto store = store_for(kStoreSize);
  FramePool first(kStoreSize, 2, store);
  FramePool second(kStoreSize, 2, store);
  auto frame = first.try_acquire();
  const auto* pixels = frame->rgba().data();
  frame.reset();
  EXPECT_EQ(second.try_acquire()->rgba().data(), pixels);
}

/// Runs `act` only on core `core`; false: this process may not use the core.
template <typename Act>
bool on_core(std::size_t core, Act act) {
  bool is_there = false;
  std::jthread([&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    is_there = ::sched_setaffinity(0, sizeof set, &set) == 0;
    if (is_there) act();
  }).join();
  return is_there;
}

TEST(PixelStore, GivesACoreWhatItHasWrittenItselfRatherThanWhatAnotherOneHas) {
  PixelStore store(64);
  static_cast<void>(store.add(4));
  PixelStore::Place here;
  PixelStore::Place there;
  PixelStore::Place again;
  const auto take_into = [&store](PixelStore::Place& place) {
    return [&] { place = store.take(); };
  };
  if (!on_core(0, take_into(here)) || !on_core(1, take_into(there)))
    GTEST_SKIP() << "needs two cores";
  store.give_back(here);
  store.give_back(there);  // the hottest of all
  ASSERT_TRUE(on_core(0, take_into(again)));
  EXPECT_EQ(again.pixels, here.pixels);
}

TEST(PixelStore, HasAPlaceForEachSeatAndNoneTwice) {
  const auto store = store_for(kStoreSize);
  FramePool first(kStoreSize, 3, store);
  FramePool second(kStoreSize, 5, store);
  std::vector<WritableFrame> frames;
  std::set<const std::uint8_t*> places;
  for (auto* pool : {&first, &second}) {
    while (auto frame = pool->try_acquire())
      frames.push_back(std::move(*frame));
  }
  for (auto& frame : frames)
    places.insert(frame.rgba().data());
  EXPECT_EQ(places.size(), 8U);
}

TEST(PixelStore, LetsNoPoolHaveMoreThanItsOwnSeats) {
  const auto store = store_for(kStoreSize);
  FramePool small(kStoreSize, 1, store);
  const FramePool large(kStoreSize, 9, store);
  const auto frame = small.try_acquire();
  EXPECT_FALSE(small.try_acquire());
}

TEST(PixelStore, KeepsAPictureThatItsPoolDoesNotOutlive) {
  const auto store = store_for(kStoreSize);
  FramePool lasting(kStoreSize, 1, store);
  std::optional<FramePool> passing(std::in_place, kStoreSize, 1, store);
  auto lent = passing->try_acquire();  // the place added last
  lent.reset();
  auto writable = *lasting.try_acquire();  // lies there now
  writable.rgba()[7] = 77;
  const auto frame = std::move(writable).publish();
  passing.reset();
  EXPECT_EQ(frame.rgba()[7], 77);
  EXPECT_EQ(store->places(), 2U) << "one is the frame's, one waits for the pool's next";
}

TEST(PixelStore, HasInTheEndWhatThePoolsThatAreLeftNeed) {
  const auto store = store_for(kStoreSize);
  FramePool lasting(kStoreSize, 2, store);
  for (int round = 0; round < 20; ++round) {
    FramePool passing(kStoreSize, 3, store);
    const auto held = lasting.try_acquire();
    auto frame = passing.try_acquire();
  }
  EXPECT_EQ(store->places(), 2U);
}

TEST(PixelStore, HasAddedNothingWhereThereIsNoMemoryForIt) {
  PixelStore store(64);
  static_cast<void>(store.add(2));
  // Every allocation fails in turn.
  int failed = 0;
  for (bool has_added = false; !has_added; ++failed) {
    try {
      const testing::FailingAllocations fail_after(failed);
      static_cast<void>(store.add(3));
      has_added = true;
    } catch (const std::bad_alloc&) {
      ASSERT_EQ(store.places(), 2U) << "after " << failed;
    }
  }
  EXPECT_GE(failed, 3) << "the list of free places, and the chunk";
  EXPECT_EQ(store.places(), 5U);
  std::set<const std::uint8_t*> places;
  for (int i = 0; i < 5; ++i)
    places.insert(store.take().pixels);
  EXPECT_EQ(places.size(), 5U);
}

TEST(PixelStore, IsSharedByThreads) {
  const auto store = store_for(kStoreSize);
  std::vector<std::jthread> threads;
  for (std::uint8_t mark = 1; mark <= 4; ++mark) {
    threads.emplace_back([&store, mark] {
      for (int round = 0; round < 50; ++round) {
        FramePool pool(kStoreSize, 2, store);
        for (int i = 0; i < 20; ++i) {
          auto first = *pool.try_acquire();
          auto second = *pool.try_acquire();
          first.rgba()[3] = mark;
          second.rgba()[3] = static_cast<std::uint8_t>(mark + 100);
          ASSERT_EQ(first.rgba()[3], mark);
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(store->places(), 0U);
}

}  // namespace
}  // namespace submix::media
