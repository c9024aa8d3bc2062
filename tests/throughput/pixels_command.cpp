// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/pixels_command.hpp"

#include "controller/cli/table.hpp"
#include "tests/throughput/machine_json.hpp"
#include "tests/throughput/pixel_kernels.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/usage.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace submix::throughput {
namespace {

constexpr std::size_t kFramesTimed = 8;  // at a time
constexpr double kPerMicrosecond = 1e3;

/// Frames to convert, many more than a cache holds. Their buffers are used in turn.
class Frames {
 public:
  Frames(std::size_t from_bytes, std::size_t to_bytes)
      : from_bytes_(from_bytes),
        to_bytes_(to_bytes),
        count_(std::max<std::size_t>(kFramesTimed, bytes_beyond_cache() / (from_bytes + to_bytes))),
        from_(from_bytes * count_),
        to_(to_bytes * count_) {
    std::uint32_t noise = 1;
    for (auto& byte : from_) {
      noise = noise * 1664525U + 1013904223U;
      byte = static_cast<std::uint8_t>(noise >> 24U);
    }
  }

  [[nodiscard]] std::span<const std::uint8_t> from(std::size_t place) const {
    return std::span(from_).subspan(place * from_bytes_, from_bytes_);
  }
  [[nodiscard]] std::span<std::uint8_t> to(std::size_t place) {
    return std::span(to_).subspan(place * to_bytes_, to_bytes_);
  }
  /// The buffer that was used the longest time ago.
  [[nodiscard]] std::size_t next() { return cursor_ = (cursor_ + 1) % count_; }

 private:
  static std::size_t bytes_beyond_cache() {
    constexpr std::size_t kLeast = std::size_t{256} << 20;
    constexpr std::size_t kMost = std::size_t{1} << 30;
    const auto cache = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::clamp(static_cast<std::size_t>(std::max(cache, 0L)) * 4, kLeast, kMost);
  }

  std::size_t from_bytes_;
  std::size_t to_bytes_;
  std::size_t count_;
  std::size_t cursor_ = 0;
  std::vector<std::uint8_t> from_;
  std::vector<std::uint8_t> to_;
};

double warm_us(const PixelKernel& kernel, Frames& frames) {
  kernel.convert(frames.from(0), frames.to(0));
  const auto begin = monotonic_ns();
  for (std::size_t i = 0; i < kFramesTimed; ++i)
    kernel.convert(frames.from(0), frames.to(0));
  return static_cast<double>(monotonic_ns() - begin) / kPerMicrosecond / kFramesTimed;
}

void convert_next_frames(const PixelKernel& kernel, Frames& frames) {
  for (std::size_t i = 0; i < kFramesTimed; ++i) {
    const auto place = frames.next();
    kernel.convert(frames.from(place), frames.to(place));
  }
}

double cold_us(const PixelKernel& kernel, Frames& frames) {
  convert_next_frames(kernel,
                      frames);  // afterwards the cache only has this kernel's own writes to finish
  const auto begin = monotonic_ns();
  convert_next_frames(kernel, frames);
  return static_cast<double>(monotonic_ns() - begin) / kPerMicrosecond / kFramesTimed;
}

/// All kernels must give the same bytes. The first, memcpy, is no conversion.
Result<void> compare(const std::vector<PixelKernel>& kernels, Frames& frames) {
  std::vector<std::uint8_t> expected;
  for (std::size_t i = 1; i < kernels.size(); ++i) {
    const auto made = frames.to(0);
    std::fill(made.begin(), made.end(), std::uint8_t{0});
    kernels[i].convert(frames.from(0), made);
    if (i == 1) expected.assign(made.begin(), made.end());
    const auto [a, b] = std::mismatch(made.begin(), made.end(), expected.begin());
    if (a == made.end()) continue;
    return fail("{} and {} do not agree: byte {} is {} and {}", kernels[1].name, kernels[i].name,
                a - made.begin(), *b, *a);
  }
  return {};
}

/// Times by kernel and round.
using Times = std::vector<std::vector<double>>;

double median_ratio(const std::vector<double>& times, const std::vector<double>& to) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times.size(); ++i)
    ratios.push_back(times[i] / to[i]);
  return median(std::move(ratios));
}

Result<std::vector<PixelFigures>> measure_kernels(Context& context, Progress& progress,
                                                  const std::vector<PixelKernel>& kernels,
                                                  Frames frames, std::size_t rounds) {
  SUBMIX_TRY(compare(kernels, frames));
  Times warm(kernels.size());
  Times cold(kernels.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
      const auto i = (turn + round) % kernels.size();  // no kernel always follows the same one
      warm[i].push_back(warm_us(kernels[i], frames));
    }
    for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
      const auto i = (turn + round) % kernels.size();
      cold[i].push_back(cold_us(kernels[i], frames));
    }
    progress.tick();
    SUBMIX_TRY(context.go_on());
  }
  std::vector<PixelFigures> figures;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    figures.push_back({kernels[i].name, median(warm[i]), median(cold[i]),
                       median_ratio(warm[i], warm[0]), median_ratio(cold[i], cold[0])});
  }
  return figures;
}

nlohmann::ordered_json figures_json(const std::vector<PixelFigures>& figures) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& each : figures) {
    list.push_back({{"name", each.name},
                    {"warm_us", each.warm_us},
                    {"cold_us", each.cold_us},
                    {"warm_ratio", each.warm_ratio},
                    {"cold_ratio", each.cold_ratio}});
  }
  return list;
}

}  // namespace

Result<PixelsResult> measure_pixels(Context& context, const PixelsOptions& options) {
  Progress progress(2);
  const auto rgba = options.size.pixels() * 4;
  const auto rgb24 = options.size.pixels() * 3;
  progress.begin_step("pack");
  auto pack =
      measure_kernels(context, progress, pack_kernels(), Frames(rgba, rgb24), options.rounds);
  if (!pack) return fail("pack: {}", pack.error().message);
  progress.begin_step("unpack");
  auto unpack =
      measure_kernels(context, progress, unpack_kernels(), Frames(rgb24, rgba), options.rounds);
  if (!unpack) return fail("unpack: {}", unpack.error().message);
  return PixelsResult{kernel_in_use(), std::move(*pack), std::move(*unpack)};
}

std::string to_text(const PixelsOptions& options, const PixelsResult& result) {
  cli::Table table({"work", "by", ">warm us", ">cold us", ">warm ratio", ">cold ratio"});
  for (const auto& [work, list] :
       {std::pair("pack", &result.pack), std::pair("unpack", &result.unpack)}) {
    for (const auto& each : *list) {
      table.add({work, each.name, fmt::format("{:.0f}", each.warm_us),
                 fmt::format("{:.0f}", each.cold_us), fmt::format("{:.2f}", each.warm_ratio),
                 fmt::format("{:.2f}", each.cold_ratio)});
    }
  }
  return fmt::format(
      "{}Frames of {}x{}, one thread, medians of {} alternating rounds; ratios to memcpy of the "
      "RGB24 "
      "bytes.\n"
      "Kernel in use: {}. All give the same bytes.\n",
      table.text(), options.size.width, options.size.height, options.rounds, result.kernel);
}

std::string to_json(const PixelsOptions& options, const PixelsResult& result) {
  const nlohmann::ordered_json object{
      {"command", "pixels"},
      {"machine", machine_json()},
      {"options",
       {{"size", fmt::format("{}x{}", options.size.width, options.size.height)},
        {"rounds", options.rounds}}},
      {"kernel", result.kernel},
      {"pack", figures_json(result.pack)},
      {"unpack", figures_json(result.unpack)}};
  return object.dump(2);
}

int run_pixels(Context& context, const PixelsOptions& options) {
  const auto result = measure_pixels(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}", context.is_json ? to_json(options, *result) + "\n" : to_text(options, *result));
  return kOk;
}

}  // namespace submix::throughput
