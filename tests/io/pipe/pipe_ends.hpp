// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace submix::testing {

using Bytes = std::vector<std::uint8_t>;

/// A pipe of the kernel, with both its ends.
struct PipeEnds {
  PipeEnds() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
  }
  /// Blocks until the reader has taken nearly all.
  void write(std::span<const std::uint8_t> bytes) const {
    while (!bytes.empty()) {
      const auto written = ::write(writing.get(), bytes.data(), bytes.size());
      if (written <= 0) throw std::runtime_error("nobody reads the pipe");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  /// What the pipe holds now.
  [[nodiscard]] std::string text_so_far() const {
    std::string text;
    std::array<char, 4096> part{};
    pollfd polled{reading.get(), POLLIN, 0};
    while (::poll(&polled, 1, 0) > 0) {
      const auto read = ::read(reading.get(), part.data(), part.size());
      if (read <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(read));
    }
    return text;
  }

  Descriptor reading;
  Descriptor writing;
};

/// A file in memory that holds these bytes, to be read from its begin.
[[nodiscard]] inline Descriptor file_of(std::span<const std::uint8_t> bytes) {
  Descriptor file(::memfd_create("bytes", MFD_CLOEXEC));
  if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no memory");
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// All bytes of a file in memory.
[[nodiscard]] inline Bytes bytes_of(const Descriptor& file) {
  Bytes bytes(static_cast<std::size_t>(::lseek(file.get(), 0, SEEK_END)));
  if (::pread(file.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("a file that cannot be read");
  return bytes;
}

/// A picture of RGB24 whose pixels all differ from those of other pictures.
[[nodiscard]] inline Bytes rgb_picture(std::size_t pixels, int number) {
  Bytes bytes(pixels * 3);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(number) * 31);
  return bytes;
}

inline void append(Bytes& bytes, std::span<const std::uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}
inline void append(Bytes& bytes, std::string_view more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace submix::testing
