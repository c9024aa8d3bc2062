// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/fakes.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

// Counts the allocations of all threads but the test's own. The sanitizers have an allocator that
// cannot be replaced, so this test is left out there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

std::atomic<bool> is_counting = false;
std::atomic<std::uint64_t> allocations = 0;
thread_local bool is_watcher = false;

void count() {
  if (is_counting.load(std::memory_order_relaxed) && !is_watcher)
    allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  count();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t items, std::size_t bytes) {
  count();
  return __libc_calloc(items, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  count();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  count();
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

namespace submix::engine {
namespace {

std::uint64_t allocations_in_a_thousand_frames(Workbench& bench, std::vector<show::Slot> slots) {
  is_watcher = true;
  const auto patch = bench.build(std::move(slots)).value();
  patch->start();
  // each helper has made frames
  EXPECT_TRUE(eventually([&] { return patch->telemetry().frames >= 100; }));
  allocations = 0;
  is_counting = true;
  const auto end = patch->telemetry().frames + 1000;
  EXPECT_TRUE(eventually([&] { return patch->telemetry().frames >= end; }));
  is_counting = false;
  patch->stop();
  return allocations;
}

TEST(Allocations, AreCounted) {
  is_counting = true;
  allocations = 0;
  std::jthread([] { std::free(std::malloc(7)); }).join();
  is_counting = false;
  EXPECT_GT(allocations, 0U);
}

TEST(Allocations, AreNoneInAPatchOfBuiltInsAndFrei0r) {
  Workbench bench(plugin::frei0r_folders());
  bench.options.size = {256, 128};
  std::vector<show::Slot> slots{slot("p", "pattern"),
                                slot("i", "frei0r/invert0r"),
                                slot("g", "frei0r/gamma"),
                                slot("o", "frei0r/onecol0r"),
                                slot("m", "frei0r/addition", {{"g", "o"}}),
                                slot("x", "frei0r/xfade0r", {{"m", "p"}}),
                                slot("k", "scope"),
                                slot("s", "stamp"),
                                slot("c", "checker"),
                                slot("n", "null")};
  for (auto& each : slots)
    each.hosting = show::Hosting::in_process;
  EXPECT_EQ(allocations_in_a_thousand_frames(bench, slots), 0U);
}

TEST(Allocations, AreNoneWhereSlotsMixAndFeedEachOther) {
  Workbench bench;
  bench.options.size = {256, 128};
  EXPECT_EQ(allocations_in_a_thousand_frames(bench, {slot("p", "pattern"), slot("q", "pattern"),
                                                     slot("m", "mix", {{"p", "q", "s@2"}}),
                                                     slot("s", "stamp"), slot("n", "null")}),
            0U);
}

TEST(Allocations, AreNoneWhereHelpersShareTheFrames) {
  Workbench bench(plugin::frei0r_folders());
  bench.options.size = {256, 128};
  auto glow = slot("g", "frei0r/glow");
  glow.helpers = 3;
  glow.hosting = show::Hosting::in_process;
  EXPECT_EQ(
      allocations_in_a_thousand_frames(bench, {slot("p", "pattern"), glow, slot("n", "null")}), 0U);
}

TEST(Allocations, AreNoneWhereOscillatorsMoveParameters) {
  Workbench bench(plugin::frei0r_folders());
  bench.options.size = {256, 128};
  auto pattern = slot("p", "pattern");
  pattern.oscillators = {{"speed", {.waveform = show::Waveform::random_ramp, .frequency = 1.3}}};
  auto glow = slot("g", "frei0r/glow");
  glow.helpers = 3;
  glow.hosting = show::Hosting::in_process;
  glow.oscillators = {{"Blur", {.waveform = show::Waveform::sine, .frequency = 0.7}}};
  auto levels = slot("l", "frei0r/brightness");
  levels.hosting = show::Hosting::in_process;
  levels.oscillators = {{"Brightness", {.waveform = show::Waveform::random, .beats = 0.25}}};
  EXPECT_EQ(allocations_in_a_thousand_frames(bench, {pattern, glow, levels, slot("n", "null")}),
            0U);
}

TEST(Allocations, AreNoneWhereFramesArePaced) {
  Workbench bench;
  bench.options.size = {256, 128};
  bench.options.is_free_running = false;
  bench.options.rate = {20000, 1};
  EXPECT_EQ(allocations_in_a_thousand_frames(bench, {slot("p", "pattern"), slot("n", "null")}), 0U);
}

}  // namespace
}  // namespace submix::engine

#endif
