// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/ledger.hpp"

#include "common/base/assert.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace submix::throughput {
namespace {

constexpr std::size_t kShapeBytes = 64;

std::size_t bytes_of(Ledger::Shape shape) {
  return kShapeBytes + shape.streams * (sizeof(Window) + shape.frames_max * sizeof(FrameTimes));
}

Result<void*> map(int descriptor, std::size_t bytes) {
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (memory == MAP_FAILED)
    return fail("{} bytes of shared memory cannot be mapped: {}", bytes, std::strerror(errno));
  return memory;
}

}  // namespace

Result<Ledger> Ledger::create(Shape shape) {
  const int descriptor = ::memfd_create("submix-ledger", 0);
  const auto bytes = bytes_of(shape);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0)
    return fail("no {} bytes of shared memory for the times of the frames: {}", bytes,
                std::strerror(errno));
  const auto memory = map(descriptor, bytes);
  SUBMIX_TRY(memory);
  std::memcpy(*memory, &shape, sizeof shape);
  Ledger ledger(descriptor, shape, *memory);
  for (std::size_t stream = 0; stream < shape.streams; ++stream)
    new (&ledger.window(stream)) Window();
  return ledger;
}

Result<Ledger> Ledger::attach(int descriptor) {
  Shape shape;
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 ||
      ::pread(descriptor, &shape, sizeof shape, 0) != sizeof shape ||
      bytes_of(shape) != static_cast<std::size_t>(status.st_size))
    return fail("descriptor {} is no ledger", descriptor);
  const auto memory = map(descriptor, bytes_of(shape));
  SUBMIX_TRY(memory);
  return Ledger(descriptor, shape, *memory);
}

Ledger::~Ledger() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_of(shape_));
  if (descriptor_ >= 0) ::close(descriptor_);
}

Window& Ledger::window(std::size_t stream) const {
  SUBMIX_ASSERT(stream < shape_.streams);
  return *std::launder(reinterpret_cast<Window*>(memory_ + kShapeBytes + stream * sizeof(Window)));
}

FrameTimes& Ledger::times(std::size_t stream, std::uint64_t index) const {
  SUBMIX_ASSERT(stream < shape_.streams && index < shape_.frames_max);
  auto* first = memory_ + kShapeBytes + shape_.streams * sizeof(Window);
  return *std::launder(reinterpret_cast<FrameTimes*>(first + (stream * shape_.frames_max + index) *
                                                                 sizeof(FrameTimes)));
}

}  // namespace submix::throughput
