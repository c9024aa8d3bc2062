// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "node/host/channel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace submix::host {

/// The pictures that a host has mapped, each with its margin between two pages that nobody may touch: whoever
/// runs over the end of one, or over that margin, ends there. Inputs cannot be written to.
///
/// Threads  Confined (the host's one thread).
/// Cost     map() faults all pages in.
class HostViews {
 public:
  explicit HostViews(Size size);
  /// Of addresses that it takes at most.
  [[nodiscard]] static std::size_t address_bytes_max(Size size);
  HostViews(const HostViews&) = delete;
  HostViews& operator=(const HostViews&) = delete;
  ~HostViews();

  /// Errors: the system does not map it.
  [[nodiscard]] Result<void> map(const MapView& view, int memory);
  /// The pixels of a view that was mapped; for writing only where it was said to be writable.
  [[nodiscard]] std::span<std::uint8_t> pixels(std::uint32_t view) const;

 private:
  struct Picture {
    std::uint8_t* reserved = nullptr;
    std::uint8_t* pixels = nullptr;
  };

  void unmap(std::uint32_t view);

  const std::size_t picture_bytes_;
  const std::size_t mapped_bytes_;    // in whole pages
  const std::size_t reserved_bytes_;  // with the pages around them
  std::array<Picture, kViewsMax> pictures_{};
};

}  // namespace submix::host
