// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixel_kernels.hpp"

#include "common/media/scaler.hpp"

extern "C" {
#include <libavutil/pixfmt.h>
}

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace submix::media {
namespace {

/// Memory between two pages without access.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes)
      : page_bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    inner_bytes_ = (bytes + page_bytes_ - 1) / page_bytes_ * page_bytes_;
    void* memory = ::mmap(nullptr, inner_bytes_ + 2 * page_bytes_, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    outer_ = static_cast<std::uint8_t*>(memory);
    ::mprotect(outer_ + page_bytes_, inner_bytes_, PROT_READ | PROT_WRITE);
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() { ::munmap(outer_, inner_bytes_ + 2 * page_bytes_); }

  [[nodiscard]] std::span<std::uint8_t> all() { return {outer_ + page_bytes_, inner_bytes_}; }
  [[nodiscard]] std::span<std::uint8_t> first(std::size_t bytes) { return all().first(bytes); }
  [[nodiscard]] std::span<std::uint8_t> last(std::size_t bytes) { return all().last(bytes); }

 private:
  std::size_t page_bytes_;
  std::size_t inner_bytes_ = 0;
  std::uint8_t* outer_ = nullptr;
};

struct Direction {
  std::string name;
  std::span<const PixelKernel> kernels;
  std::size_t from_pixel_bytes;
  std::size_t to_pixel_bytes;
};

std::vector<Direction> directions() {
  return {{"pack", pack_kernels(), 4, 3}, {"unpack", unpack_kernels(), 3, 4}};
}

constexpr std::size_t kPixelsMost = 700;  // several of the widest blocks, and a rest
constexpr std::uint8_t kUntouched = 0x5A;

bool is_untouched(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](auto byte) { return byte == kUntouched; });
}

class PixelKernels : public ::testing::Test {
 protected:
  void fill_randomly(std::span<std::uint8_t> bytes) {
    std::generate(bytes.begin(), bytes.end(),
                  [this] { return static_cast<std::uint8_t>(random_()); });
  }
  std::vector<std::uint8_t> expected(const Direction& direction, std::span<const std::uint8_t> from,
                                     std::size_t pixels) {
    std::vector<std::uint8_t> to(pixels * direction.to_pixel_bytes);
    direction.kernels.front().run(from.data(), to.data(), pixels);
    return to;
  }
  std::size_t up_to(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }

  static constexpr unsigned kSeed = 24;
  std::mt19937 random_{kSeed};
};

TEST_F(PixelKernels, BeginWithThoseThatEveryCpuRuns) {
  for (const auto& direction : directions()) {
    ASSERT_GE(direction.kernels.size(), 3U);
    EXPECT_EQ(direction.kernels[0].name, "plain");
    EXPECT_EQ(direction.kernels[1].name, "libswscale");
    EXPECT_EQ(direction.kernels[2].name, "libyuv");
  }
}

// More pixels than libswscale takes at once.
TEST_F(PixelKernels, GiveTheBytesOfPlainCodeForAPictureOfTwoMillionPixels) {
  constexpr std::size_t kPixels = (std::size_t{1} << 20) * 2 + 100;
  std::vector<std::uint8_t> from(kPixels * 4);
  std::vector<std::uint8_t> to(kPixels * 4);
  fill_randomly(from);
  for (const auto& direction : directions()) {
    const auto right = expected(direction, from, kPixels);
    for (const auto& kernel : direction.kernels) {
      kernel.run(from.data(), to.data(), kPixels);
      EXPECT_TRUE(std::equal(right.begin(), right.end(), to.begin()))
          << direction.name << " " << kernel.name;
    }
  }
}

TEST_F(PixelKernels, RunOnSeveralThreadsAtOnce) {
  constexpr std::size_t kPixels = 5000;
  constexpr int kTurns = 50;
  std::vector<std::uint8_t> from(kPixels * 4);
  fill_randomly(from);
  for (const auto& direction : directions()) {
    const auto right = expected(direction, from, kPixels);
    for (const auto& kernel : direction.kernels) {
      std::array<bool, 4> is_right{};
      {
        std::vector<std::jthread> threads;
        for (auto& all_right : is_right) {
          threads.emplace_back([&] {
            std::vector<std::uint8_t> to(right.size());
            all_right = true;
            for (int turn = 0; turn < kTurns; ++turn) {
              std::fill(to.begin(), to.end(), kUntouched);
              kernel.run(from.data(), to.data(), kPixels);
              all_right = all_right && to == right;
            }
          });
        }
      }
      for (const bool each : is_right)
        EXPECT_TRUE(each) << direction.name << " " << kernel.name;
    }
  }
}

TEST_F(PixelKernels, PlainCodeIsRight) {
  const std::vector<std::uint8_t> rgba{1, 2, 3, 200, 4, 5, 6, 0};
  std::vector<std::uint8_t> rgb24(6);
  pack_kernels().front().run(rgba.data(), rgb24.data(), 2);
  EXPECT_EQ(rgb24, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
  std::vector<std::uint8_t> again(8);
  unpack_kernels().front().run(rgb24.data(), again.data(), 2);
  EXPECT_EQ(again, (std::vector<std::uint8_t>{1, 2, 3, 255, 4, 5, 6, 255}));
}

TEST_F(PixelKernels, GiveTheBytesOfPlainCodeAtEveryLengthAndAlignment) {
  std::vector<std::uint8_t> from(kPixelsMost * 4 + 64);
  std::vector<std::uint8_t> to(kPixelsMost * 4 + 256);
  for (const auto& direction : directions()) {
    for (std::size_t pixels = 0; pixels < kPixelsMost; ++pixels) {
      const auto from_offset = up_to(64);
      const auto to_offset = up_to(128);
      const auto to_bytes = pixels * direction.to_pixel_bytes;
      fill_randomly(from);
      const auto source = std::span(from).subspan(from_offset, pixels * direction.from_pixel_bytes);
      const auto right = expected(direction, source, pixels);
      for (const auto& kernel : direction.kernels) {
        SCOPED_TRACE(direction.name + " " + std::string(kernel.name) + ", seed " +
                     std::to_string(kSeed));
        std::fill(to.begin(), to.end(), kUntouched);
        kernel.run(source.data(), to.data() + to_offset, pixels);
        ASSERT_TRUE(std::equal(right.begin(), right.end(), to.data() + to_offset))
            << pixels << " pixels from +" << from_offset << " to +" << to_offset;
        ASSERT_TRUE(is_untouched(std::span(to).first(to_offset))) << pixels << " pixels";
        ASSERT_TRUE(is_untouched(std::span(to).subspan(to_offset + to_bytes)))
            << pixels << " pixels";
      }
    }
  }
}

// A read or a write beyond the ends kills this program.
TEST_F(PixelKernels, TouchNothingBeyondTheEnds) {
  GuardedMemory from(kPixelsMost * 4);
  GuardedMemory to(kPixelsMost * 4);
  fill_randomly(from.all());
  for (const auto& direction : directions()) {
    for (std::size_t pixels = 0; pixels < kPixelsMost; ++pixels) {
      const auto from_bytes = pixels * direction.from_pixel_bytes;
      const auto to_bytes = pixels * direction.to_pixel_bytes;
      const auto right_first = expected(direction, from.first(from_bytes), pixels);
      const auto right_last = expected(direction, from.last(from_bytes), pixels);
      for (const auto& kernel : direction.kernels) {
        SCOPED_TRACE(direction.name + " " + std::string(kernel.name));
        kernel.run(from.first(from_bytes).data(), to.first(to_bytes).data(), pixels);
        ASSERT_TRUE(std::equal(right_first.begin(), right_first.end(), to.first(to_bytes).begin()))
            << pixels;
        kernel.run(from.last(from_bytes).data(), to.last(to_bytes).data(), pixels);
        ASSERT_TRUE(std::equal(right_last.begin(), right_last.end(), to.last(to_bytes).begin()))
            << pixels;
      }
    }
  }
}

TEST_F(PixelKernels, AgreeWithLibswscale) {
  constexpr Size kSize{80, 37};
  std::vector<std::uint8_t> rgb24(kSize.pixels() * 3);
  fill_randomly(rgb24);
  SourcePicture source;
  source.size = kSize;
  source.format = AV_PIX_FMT_RGB24;
  source.planes[0] = rgb24.data();
  source.strides_bytes[0] = kSize.width * 3;
  std::vector<std::uint8_t> rgba(kSize.pixels() * 4);
  ASSERT_TRUE(Scaler().convert(source, rgba_target(kSize, rgba)));
  EXPECT_EQ(expected(directions()[1], rgb24, kSize.pixels()), rgba);
  EXPECT_EQ(expected(directions()[0], rgba, kSize.pixels()), rgb24);
}

TEST_F(PixelKernels, AreChosenFromTheListAndForTheirStores) {
  const auto& chosen = chosen_pixel_kernels();
  const auto is_in = [](std::span<const PixelKernel> kernels, const PixelKernel& kernel) {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const auto& each) { return each.run == kernel.run; });
  };
  EXPECT_TRUE(is_in(pack_kernels(), chosen.pack));
  EXPECT_TRUE(is_in(unpack_kernels(), chosen.unpack));
  EXPECT_TRUE(is_in(pack_kernels(), chosen.streaming_pack));
  EXPECT_TRUE(is_in(unpack_kernels(), chosen.streaming_unpack));
  EXPECT_EQ(chosen.pack.stores, Stores::cached);
  EXPECT_EQ(chosen.unpack.stores, Stores::cached);
  EXPECT_EQ(chosen.streaming_pack.stores, pack_kernels().back().stores);
  EXPECT_EQ(chosen.streaming_unpack.stores, unpack_kernels().back().stores);
  EXPECT_EQ(&chosen_pixel_kernels(), &chosen) << "chosen once";
}

TEST(Stores, AreStreamingOnlyForWhatNoCacheHolds) {
  EXPECT_EQ(stores_for(64 << 10), Stores::cached);
  if (!std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache/index3/size"))
    GTEST_SKIP() << "this machine does not say how large its cache is";
  EXPECT_EQ(stores_for(std::size_t{1} << 40), Stores::streaming);
}

}  // namespace
}  // namespace submix::media
