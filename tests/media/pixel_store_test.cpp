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
  FramePool first(kStoreSize, 2, 2, store);
  FramePool second(kStoreSize, 2, 2, store);
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
  static_cast<void>(store.add(4, 4));
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
  FramePool first(kStoreSize, 3, 3, store);
  FramePool second(kStoreSize, 5, 5, store);
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
  FramePool small(kStoreSize, 1, 1, store);
  const FramePool large(kStoreSize, 9, 9, store);
  const auto frame = small.try_acquire();
  EXPECT_FALSE(small.try_acquire());
}

TEST(PixelStore, KeepsAPictureThatItsPoolDoesNotOutlive) {
  const auto store = store_for(kStoreSize);
  FramePool lasting(kStoreSize, 1, 1, store);
  std::optional<FramePool> passing(std::in_place, kStoreSize, 1, 1, store);
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
  FramePool lasting(kStoreSize, 2, 2, store);
  for (int round = 0; round < 20; ++round) {
    FramePool passing(kStoreSize, 3, 3, store);
    const auto held = lasting.try_acquire();
    auto frame = passing.try_acquire();
  }
  EXPECT_EQ(store->places(), 2U);
}

TEST(PixelStore, HasAddedNothingWhereThereIsNoMemoryForIt) {
  if (!testing::kCanFailAllocations) GTEST_SKIP() << "no allocation can be made to fail here";
  PixelStore store(64);
  static_cast<void>(store.add(2, 2));
  // Every allocation fails in turn.
  int failed = 0;
  for (bool has_added = false; !has_added; ++failed) {
    try {
      const testing::FailingAllocations fail_after(failed);
      static_cast<void>(store.add(3, 1));
      has_added = true;
    } catch (const std::bad_alloc&) {
      ASSERT_EQ(store.places(), 2U) << "after " << failed;
    }
  }
  EXPECT_GE(failed, 4) << "the lists of places, and the chunk";
  EXPECT_EQ(store.places(), 5U);
  std::set<const std::uint8_t*> places;
  for (int i = 0; i < 5; ++i)
    places.insert(store.take().pixels);
  EXPECT_EQ(places.size(), 5U);
}

std::size_t touched_of(PixelStore& store, std::size_t in_use) {
  for (int round = 0; round < 10; ++round) {
    std::vector<PixelStore::Place> places;
    for (std::size_t i = 0; i < in_use; ++i)
      places.push_back(store.take());
    for (const auto& place : places)
      store.give_back(place);
  }
  return store.places_touched();
}

TEST(PixelStore, HasMemoryForThePlacesThatAreInUse) {
  for (const auto backing : {Backing::own, Backing::shared}) {
    PixelStore store(64, backing);
    static_cast<void>(store.add(40, 2));
    EXPECT_EQ(store.places_touched(), 2U);
    EXPECT_EQ(touched_of(store, 1), 2U);
    EXPECT_EQ(touched_of(store, 5), 5U);
    EXPECT_EQ(touched_of(store, 3), 5U) << "a place keeps its memory";
    EXPECT_EQ(store.places(), 40U);
  }
}

TEST(PixelStore, TouchesSparePlacesAsManyAsAreAskedForAndThere) {
  PixelStore store(64);
  static_cast<void>(store.add(4, 1));
  const auto taken = store.take();
  store.touch_spare(2);
  EXPECT_EQ(store.places_touched(), 3U) << "the place that is taken, and two";
  store.touch_spare(2);
  EXPECT_EQ(store.places_touched(), 3U);
  store.touch_spare(9);
  EXPECT_EQ(store.places_touched(), 4U);
  store.give_back(taken);
}

TEST(PixelStore, UnmapsUntouchedPlacesWithTheirPool) {
  PixelStore store(64);
  auto& chunk = store.add(4, 1);
  store.withdraw(chunk);
  EXPECT_EQ(store.places(), 0U);
  EXPECT_EQ(store.places_touched(), 0U);
}

TEST(PixelStore, IsSharedByThreads) {
  const auto store = store_for(kStoreSize);
  std::vector<std::jthread> threads;
  for (std::uint8_t mark = 1; mark <= 4; ++mark) {
    threads.emplace_back([&store, mark] {
      for (int round = 0; round < 50; ++round) {
        FramePool pool(kStoreSize, 2, 1, store);
        pool.touch_spare(2);
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
