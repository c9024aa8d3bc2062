// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_views.hpp"

#include "common/base/assert.hpp"
#include "common/media/frame.hpp"
#include "common/media/mapped_memory.hpp"
#include "common/media/shared_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace submix::host {
namespace {

// Pictures end up to a page before the guard behind them; the rest of that page is theirs alone, too.
constexpr std::size_t kGuardBytes = media::kPageBytes;
constexpr std::size_t kHugePageBytes = media::MappedMemory::kHugePageBytes;

// Where a picture's huge pages are huge pages here, too: as far from a boundary as they are in their memory.
std::uint8_t* place_in(std::uint8_t* reserved, std::uint64_t offset_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(reserved) + kGuardBytes;
  return reserved + kGuardBytes + (offset_bytes - first) % kHugePageBytes;
}

}  // namespace

HostViews::HostViews(Size size)
    : picture_bytes_(size.pixels() * media::kBytesPerRgbaPixel),
      mapped_bytes_((picture_bytes_ + media::kPageBytes - 1) / media::kPageBytes * media::kPageBytes),
      reserved_bytes_(mapped_bytes_ + 2 * kGuardBytes + kHugePageBytes) {}

HostViews::~HostViews() {
  for (std::uint32_t view = 0; view < kViewsMax; ++view)
    unmap(view);
}

Result<void> HostViews::map(const MapView& view, int memory) {
  SUBMIX_ASSERT(view.view < kViewsMax && view.offset_bytes % media::kPageBytes == 0);
  unmap(view.view);
  void* const reserved =
      ::mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return fail("no addresses for a picture: {}", std::strerror(errno));
  auto& picture = pictures_[view.view];
  picture.reserved = static_cast<std::uint8_t*>(reserved);
  picture.pixels = place_in(picture.reserved, view.offset_bytes);
  void* const mapped =
      ::mmap(picture.pixels, mapped_bytes_, view.is_writable ? PROT_READ | PROT_WRITE : PROT_READ,
             MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, static_cast<off_t>(view.offset_bytes));
  if (mapped == MAP_FAILED) return fail("a picture cannot be mapped: {}", std::strerror(errno));
  return {};
}

std::span<std::uint8_t> HostViews::pixels(std::uint32_t view) const {
  SUBMIX_ASSERT(view < kViewsMax && pictures_[view].pixels != nullptr);
  return {pictures_[view].pixels, picture_bytes_};
}

void HostViews::unmap(std::uint32_t view) {
  auto& picture = pictures_[view];
  if (picture.reserved != nullptr) ::munmap(picture.reserved, reserved_bytes_);
  picture = {};
}

}  // namespace submix::host
