// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/mapped_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::media {
namespace {

constexpr int kNoFile = -1;
constexpr std::size_t kPieceBytes = 4 * MappedMemory::kHugePageBytes;  // see touch()
constexpr int kJoinNow = 25;  // MADV_COLLAPSE, which glibc names only since 2.37

std::size_t rounded_to_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// Address space of `bytes`, from a huge page's boundary on; null: no address space is left.
std::uint8_t* reserve(std::size_t bytes) {
  constexpr auto kHuge = MappedMemory::kHugePageBytes;
  const auto wanted = rounded_to_pages(bytes);
  void* const place = ::mmap(nullptr, wanted + kHuge, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::uint8_t*>(place);
  const auto surplus = reinterpret_cast<std::uintptr_t>(begin) % kHuge;
  const auto before = surplus == 0 ? 0 : kHuge - surplus;
  if (before > 0) ::munmap(begin, before);
  ::munmap(begin + before + wanted, kHuge - before);
  return begin + before;
}

// Kernels before 5.14 do not know MADV_POPULATE_WRITE. On these kernels missing memory is found out
// by the first write.
void touch_in_the_old_way(std::uint8_t* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += rounded_to_pages(1))
    __atomic_fetch_or(data + i, 0, __ATOMIC_RELAXED);  // a write that changes nothing
}

Result<void> create_pages(std::uint8_t* data, std::size_t bytes) {
  if (::madvise(data, bytes, MADV_POPULATE_WRITE) == 0) return {};
  if (errno != EINVAL) return fail("no {} bytes of memory left: {}", bytes, std::strerror(errno));
  touch_in_the_old_way(data, bytes);
  return {};
}

}  // namespace

Result<MappedMemory> MappedMemory::own(std::size_t bytes, Pages pages) {
  return map(kNoFile, bytes, Access::write, pages);
}
Result<MappedMemory> MappedMemory::writable(int descriptor, std::size_t bytes, Pages pages) {
  return map(descriptor, bytes, Access::write, pages);
}
Result<MappedMemory> MappedMemory::readable(int descriptor, std::size_t bytes) {
  return map(descriptor, bytes, Access::read, Pages::later);
}

Result<MappedMemory> MappedMemory::map(int descriptor, std::size_t bytes, Access access,
                                       Pages pages) {
  const int protection = access == Access::read ? PROT_READ : PROT_READ | PROT_WRITE;
  const int kind = descriptor == kNoFile ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  auto* const place = reserve(bytes);
  if (place == nullptr) return fail("{} bytes cannot be mapped: {}", bytes, std::strerror(errno));
  MappedMemory memory(place, bytes);
  if (::mmap(place, bytes, protection, kind | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    return fail("{} bytes cannot be mapped: {}", bytes, std::strerror(errno));
  memory.ask_for_huge_pages();
  if (pages == Pages::now) SUBMIX_TRY(memory.touch(0, bytes));
  return memory;
}

// Called before the first touch, since present pages stay as they are. The rest smaller than a huge
// page must not be joined with the memory behind it: the kernel would join them later, while frames
// flow, and each join is a page fault.
void MappedMemory::ask_for_huge_pages() const {
  const auto huge = size_bytes_ / kHugePageBytes * kHugePageBytes;
  // where granted, frame rates are 1.04 to 1.18 times as high
  if (huge > 0) ::madvise(data_, huge, MADV_HUGEPAGE);
  if (huge < size_bytes_) ::madvise(data_ + huge, size_bytes_ - huge, MADV_NOHUGEPAGE);
}

// While the kernel creates pages, no other thread of this process can map memory, and no thread
// that waits behind such a thread can fault in a page. So the pages are created in pieces of a few
// milliseconds.
Result<void> MappedMemory::touch(std::size_t offset_bytes, std::size_t bytes) const {
  const auto page = rounded_to_pages(1);
  auto begin = offset_bytes / page * page;
  const auto end = std::min(rounded_to_pages(offset_bytes + bytes), rounded_to_pages(size_bytes_));
  while (begin < end) {
    const auto piece_end = std::min(end, begin / kPieceBytes * kPieceBytes + kPieceBytes);
    SUBMIX_TRY(create_pages(data_ + begin, piece_end - begin));
    begin = piece_end;
  }
  return {};
}

// Shared memory gets huge pages at its first touch only if the administrator allows it
// (shmem_enabled), which most systems do not.
void MappedMemory::join_pages(std::size_t bytes) const {
  const auto huge = std::min(bytes, size_bytes_) / kHugePageBytes * kHugePageBytes;
  if (huge > 0) ::madvise(data_, huge, kJoinNow);
}

// The kernel makes no huge page where there is none at all: one small page is enough.
void MappedMemory::create_huge_pages(std::size_t bytes) const {
  const auto page = rounded_to_pages(1);
  const auto huge = std::min(bytes, size_bytes_) / kHugePageBytes * kHugePageBytes;
  for (std::size_t begin = 0; begin < huge; begin += kHugePageBytes) {
    const bool is_begun = ::madvise(data_ + begin, page, MADV_POPULATE_WRITE) == 0;
    if (!is_begun || ::madvise(data_ + begin, kHugePageBytes, kJoinNow) != 0) return;
  }
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {}

MappedMemory::~MappedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_bytes_);
}

}  // namespace submix::media
