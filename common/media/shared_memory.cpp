// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
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

/// Without pages at first: pages created by the first touch in a mapping can be huge pages.
Result<Descriptor> create_sealed(std::size_t bytes) {
  Descriptor descriptor(::memfd_create("submix-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor || ::ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, kSizeSeals | F_SEAL_SEAL) != 0) {
    return fail("no {} bytes of shared memory: {}", bytes, std::strerror(errno));
  }
  return descriptor;
}

Result<void> check(int descriptor, std::size_t bytes) {
  struct stat status{};
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || ::fstat(descriptor, &status) != 0)
    return fail("shared memory: it is not a memfd");
  if ((seals & kSizeSeals) != kSizeSeals)
    return fail("shared memory: it may shrink or grow; it must be sealed");
  if (static_cast<std::uint64_t>(status.st_size) != bytes)
    return fail("shared memory: it has {} bytes, {} were said", status.st_size, bytes);
  return {};
}

}  // namespace

Result<std::shared_ptr<SharedMemory>> SharedMemory::create(std::size_t bytes, Pages pages) {
  auto descriptor = create_sealed(bytes);
  SUBMIX_TRY(descriptor);
  auto mapped = MappedMemory::writable(descriptor->get(), bytes, pages);
  if (!mapped) return fail("shared memory: {}", mapped.error().message);
  return std::shared_ptr<SharedMemory>(
      new SharedMemory(std::move(*descriptor), std::move(*mapped)));
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::adopt(Descriptor descriptor,
                                                          std::size_t bytes) {
  SUBMIX_TRY(check(descriptor.get(), bytes));
  auto mapped = MappedMemory::readable(descriptor.get(), bytes);
  if (!mapped) return fail("shared memory: {}", mapped.error().message);
  return std::shared_ptr<SharedMemory>(new SharedMemory(std::move(descriptor), std::move(*mapped)));
}

Result<Descriptor> SharedMemory::open_for_reading() const {
  std::array<char, 32> path{};
  fmt::format_to_n(path.data(), path.size() - 1, "/proc/self/fd/{}", descriptor_.get());
  Descriptor opened(::open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!opened)
    return fail("shared memory: {} cannot be opened for reading: {}", path.data(),
                std::strerror(errno));
  return opened;
}

SharedMemory::SharedMemory(Descriptor descriptor, MappedMemory mapped)
    : descriptor_(std::move(descriptor)), mapped_(std::move(mapped)), id_(next_id()) {}

}  // namespace submix::media
