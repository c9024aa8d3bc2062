// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::media {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// All pages are there afterwards: memory that is short shows here, as an error, and not later, as a signal.
Result<Descriptor> create_sealed(std::size_t bytes) {
  Descriptor descriptor(::memfd_create("submix-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor || ::fallocate(descriptor.get(), 0, 0, static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, kSizeSeals | F_SEAL_SEAL) != 0) {
    return fail("no {} bytes of shared memory: {}", bytes, std::strerror(errno));
  }
  return descriptor;
}

Result<void> check(int descriptor, std::size_t bytes) {
  struct stat status{};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || ::fstat(descriptor, &status) != 0) return fail("shared memory: it is not a memfd");
  if ((seals & kSizeSeals) != kSizeSeals)
    return fail("shared memory: it may shrink or grow; it must be sealed");
  if (static_cast<std::uint64_t>(status.st_size) != bytes)
    return fail("shared memory: it has {} bytes, {} were said", status.st_size, bytes);
  return {};
}

}  // namespace

Result<std::shared_ptr<SharedMemory>> SharedMemory::create(std::size_t bytes) {
  auto descriptor = create_sealed(bytes);
  if (!descriptor) return tl::unexpected(std::move(descriptor.error()));
  void* const data =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor->get(), 0);
  if (data == MAP_FAILED) return fail("{} bytes of shared memory: {}", bytes, std::strerror(errno));
  ::madvise(data, bytes, MADV_HUGEPAGE);
  std::memset(data, 0, bytes);  // no page is faulted in later, for writing either
  return std::shared_ptr<SharedMemory>(
      new SharedMemory(std::move(*descriptor), static_cast<std::uint8_t*>(data), bytes));
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::adopt(Descriptor descriptor, std::size_t bytes) {
  if (auto checked = check(descriptor.get(), bytes); !checked) return tl::unexpected(checked.error());
  void* const data = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor.get(), 0);
  if (data == MAP_FAILED)
    return fail("shared memory: {} bytes cannot be mapped: {}", bytes, std::strerror(errno));
  return std::shared_ptr<SharedMemory>(
      new SharedMemory(std::move(descriptor), static_cast<std::uint8_t*>(data), bytes));
}

SharedMemory::SharedMemory(Descriptor descriptor, std::uint8_t* data, std::size_t size_bytes)
    : descriptor_(std::move(descriptor)), data_(data), size_bytes_(size_bytes), id_(next_id()) {}

SharedMemory::~SharedMemory() {
  ::munmap(data_, size_bytes_);
}

}  // namespace submix::media
