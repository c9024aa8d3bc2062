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

/// The pictures that a host has mapped, each with its margin between two guard pages. A plugin that
/// runs past a picture and its margin crashes there. Inputs are read-only.
///
/// Threads  Confined (the host's one thread).
/// Cost     map() faults all pages in.
class HostViews {
 public:
  explicit HostViews(Size size);
  /// The most address space that the views take.
  [[nodiscard]] static std::size_t address_bytes_max(Size size);
  HostViews(const HostViews&) = delete;
  HostViews& operator=(const HostViews&) = delete;
  ~HostViews();

  /// Errors   The system refuses the mapping.
  [[nodiscard]] Result<void> map(const MapView& view, int memory);
  /// The pixels of a mapped view. Only a view mapped as writable may be written.
  [[nodiscard]] std::span<std::uint8_t> pixels(std::uint32_t view) const;

 private:
  struct Picture {
    std::uint8_t* reserved = nullptr;
    std::uint8_t* pixels = nullptr;
  };

  void unmap(std::uint32_t view);

  const std::size_t picture_bytes_;
  const std::size_t mapped_bytes_;    // in whole pages
  const std::size_t reserved_bytes_;  // with the guard pages
  std::array<Picture, kViewsMax> pictures_{};
};

}  // namespace submix::host
