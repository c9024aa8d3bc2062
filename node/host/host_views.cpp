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

// A picture ends up to a page before its guard page. The rest of the page belongs to this picture
// alone.
constexpr std::size_t kGuardBytes = media::kPageBytes;
constexpr std::size_t kHugePageBytes = media::MappedMemory::kHugePageBytes;

std::size_t picture_bytes(Size size) {
  return size.pixels() * media::kBytesPerRgbaPixel;
}
std::size_t mapped_bytes(Size size) {
  return media::whole_pages(picture_bytes(size));
}
// A margin is shorter than a huge page. Wherever a margin begins, a huge page's boundary is not far
// behind.
std::size_t reserved_bytes(Size size) {
  return mapped_bytes(size) + 2 * kGuardBytes + 2 * kHugePageBytes;
}

// A picture has the same distance from a huge page's boundary here as in its memory. Its huge pages
// are then huge pages here too.
std::uint8_t* place_in(std::uint8_t* reserved, std::uint64_t offset_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(reserved) + kGuardBytes;
  return reserved + kGuardBytes + (offset_bytes - first) % kHugePageBytes;
}

}  // namespace

HostViews::HostViews(Size size)
    : picture_bytes_(picture_bytes(size)),
      mapped_bytes_(mapped_bytes(size)),
      reserved_bytes_(reserved_bytes(size)) {}

std::size_t HostViews::address_bytes_max(Size size) {
  return kViewsMax * reserved_bytes(size);
}

HostViews::~HostViews() {
  for (std::uint32_t view = 0; view < kViewsMax; ++view)
    unmap(view);
}

Result<void> HostViews::map(const MapView& view, int memory) {
  SUBMIX_ASSERT(view.view < kViewsMax && view.offset_bytes % media::kPageBytes == 0 &&
                view.margin_bytes % media::kPageBytes == 0 && view.margin_bytes < kHugePageBytes &&
                view.margin_bytes <= view.offset_bytes);
  unmap(view.view);
  void* const reserved = ::mmap(nullptr, reserved_bytes_, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return fail("no addresses for a picture: {}", std::strerror(errno));
  auto& picture = pictures_[view.view];
  picture.reserved = static_cast<std::uint8_t*>(reserved);
  const auto begin = view.offset_bytes - view.margin_bytes;
  auto* const place = place_in(picture.reserved, begin);
  picture.pixels = place + view.margin_bytes;
  void* const mapped =
      ::mmap(place, view.margin_bytes + mapped_bytes_,
             view.is_writable ? PROT_READ | PROT_WRITE : PROT_READ,
             MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, static_cast<off_t>(begin));
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
