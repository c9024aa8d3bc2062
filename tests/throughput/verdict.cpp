// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/verdict.hpp"

#include "common/base/units.hpp"
#include "tests/throughput/job.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace submix::throughput {
namespace {

struct Format {
  const char* name;
  Size size;
  int frames_per_second;

  [[nodiscard]] double bytes_per_second() const {
    return static_cast<double>(wire_bytes(size)) * frames_per_second;
  }
};

// Sorted by the rate that they need.
constexpr std::array<Format, 9> kFormats{{{"XGA at 30 fps", {1024, 768}, 30},
                                          {"720p30", {1280, 720}, 30},
                                          {"XGA at 60 fps", {1024, 768}, 60},
                                          {"720p60", {1280, 720}, 60},
                                          {"1080p30", {1920, 1080}, 30},
                                          {"1080p50", {1920, 1080}, 50},
                                          {"1080p60", {1920, 1080}, 60},
                                          {"2160p30", {3840, 2160}, 30},
                                          {"2160p60", {3840, 2160}, 60}}};

std::string these_links(std::size_t links) {
  constexpr std::array<const char*, 9> kWords{"no",
                                              "this link",
                                              "these two links",
                                              "these three links",
                                              "these four links",
                                              "these five links",
                                              "these six links",
                                              "these seven links",
                                              "these eight links"};
  return links < kWords.size() ? kWords[links] : fmt::format("these {} links", links);
}

}  // namespace

std::string verdict(double bytes_per_second, std::size_t links) {
  const Format* fits = nullptr;
  const Format* next = nullptr;
  for (const auto& format : kFormats) {
    if (format.bytes_per_second() <= bytes_per_second) {
      fits = &format;
    } else if (next == nullptr) {
      next = &format;
    }
  }
  const auto needed = [&](const Format& format) {
    return fmt::format("{} needs {:.2f} times what they carry", format.name,
                       format.bytes_per_second() / bytes_per_second);
  };
  if (fits == nullptr)
    return fmt::format("Nothing usual fits on {}: {}.", these_links(links),
                       needed(kFormats.front()));
  const auto spare = std::floor((bytes_per_second / fits->bytes_per_second() - 1) * 100);
  const auto first =
      fmt::format("{} fits on {} with {:.0f} % to spare", fits->name, these_links(links), spare);
  return next == nullptr ? first + "." : first + "; " + needed(*next) + ".";
}

}  // namespace submix::throughput
