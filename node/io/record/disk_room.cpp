// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/disk_room.hpp"

#include <fmt/format.h>

namespace submix::io {
namespace {

constexpr double kNewestShare = 0.25;  // weight of the newest second in the rate
constexpr double kEnoughFactor = 1.5;  // times `seconds_wanted`
constexpr double kMegabyte = 1e6;
constexpr double kGigabyte = 1e9;

}  // namespace

void DiskRoom::look(std::uint64_t bytes_written, std::optional<std::uint64_t> bytes_free,
                    double seconds) {
  const auto bytes = static_cast<double>(bytes_written - bytes_before_);
  bytes_before_ = bytes_written;
  const double rate = bytes / seconds;
  const bool is_first = bytes_per_second_ == 0;
  bytes_per_second_ =
      is_first ? rate : bytes_per_second_ + kNewestShare * (rate - bytes_per_second_);
  if (!bytes_free || bytes_per_second_ <= 0) return;
  bytes_free_ = static_cast<double>(*bytes_free);
  const double wanted = seconds_wanted_ * bytes_per_second_;
  is_short_ = bytes_free_ < (is_short_ ? kEnoughFactor * wanted : wanted);
}

std::string DiskRoom::text() const {
  const auto room = bytes_free_ < kGigabyte ? fmt::format("{:.0f} MB", bytes_free_ / kMegabyte)
                                            : fmt::format("{:.1f} GB", bytes_free_ / kGigabyte);
  return fmt::format("room for {:.0f} s more ({} at {:.1f} MB/s)", bytes_free_ / bytes_per_second_,
                     room, bytes_per_second_ / kMegabyte);
}

}  // namespace submix::io
