// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/pipe_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

namespace submix::io {
namespace {

constexpr std::chrono::milliseconds kReadPollPeriod(50);
// The most that an ordinary user may ask for.
constexpr int kPipeRoomBytes = 1 << 20;

bool may_pass(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

bool is_ready(int descriptor, short event, std::chrono::milliseconds patience) {
  pollfd polled{descriptor, event, 0};
  return ::poll(&polled, 1, static_cast<int>(patience.count())) > 0;
}

/// Opens the same pipe again. O_NONBLOCK on the inherited descriptor would change the pipe for
/// every program that shares it.
Descriptor without_blocking(int descriptor) {
  const auto name = fmt::format("/proc/self/fd/{}", descriptor);
  return Descriptor(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

Result<std::size_t> PipeBytes::read(std::span<std::uint8_t> to, const std::stop_token& stop) {
  std::size_t done = 0;
  while (done < to.size()) {
    const auto read = read_some(to.subspan(done), stop);
    SUBMIX_TRY(read);
    if (*read == 0) break;
    done += *read;
  }
  return done;
}

Result<std::size_t> PipeBytes::read_some(std::span<std::uint8_t> to, const std::stop_token& stop) {
  if (peeked_.empty()) return read_pipe(to, stop);
  const auto known = std::min(peeked_.size(), to.size());
  std::copy_n(peeked_.begin(), known, to.begin());
  peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<std::ptrdiff_t>(known));
  return known;
}

Result<std::span<const std::uint8_t>> PipeBytes::peek(std::size_t bytes,
                                                      const std::stop_token& stop) {
  while (peeked_.size() < bytes) {
    const auto known = peeked_.size();
    peeked_.resize(bytes);
    const auto read = read_pipe(std::span(peeked_).subspan(known), stop);
    peeked_.resize(known + read.value_or(0));
    SUBMIX_TRY(read);
    if (*read == 0) break;
  }
  return std::span<const std::uint8_t>(peeked_).first(std::min(bytes, peeked_.size()));
}

// 0: the end, or a stop.
Result<std::size_t> PipeBytes::read_pipe(std::span<std::uint8_t> to,
                                         const std::stop_token& stop) const {
  while (!stop.stop_requested()) {
    if (!is_ready(descriptor_, POLLIN, kReadPollPeriod)) continue;
    const auto read = ::read(descriptor_, to.data(), to.size());
    if (read >= 0) return static_cast<std::size_t>(read);
    if (!may_pass(errno)) return fail("standard input cannot be read: {}", std::strerror(errno));
  }
  return 0;
}

PipeSink::PipeSink(int descriptor) : descriptor_(descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return;
  is_socket_ = S_ISSOCK(status.st_mode);
  bytes_at_once_ = std::numeric_limits<std::ptrdiff_t>::max();
  if (!S_ISFIFO(status.st_mode)) return;
  // More room means fewer switches between the programs. A refusal costs only speed.
  [[maybe_unused]] const auto room = ::fcntl(descriptor, F_SETPIPE_SZ, kPipeRoomBytes);
  own_ = without_blocking(descriptor);
  // A pipe of another user cannot be opened again. A writable pipe takes this much without
  // blocking.
  if (!own_) bytes_at_once_ = PIPE_BUF;
}

Result<PipeSink::Outcome> PipeSink::write(std::span<const std::uint8_t>& bytes,
                                          std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!bytes.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const int watched = own_ ? own_.get() : descriptor_;
    if (!is_ready(watched, POLLOUT, std::max(left, std::chrono::milliseconds(0))))
      return Outcome::not_yet;
    const auto written = write_some(bytes.first(std::min(bytes.size(), bytes_at_once_)));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EPIPE || errno == ECONNRESET) return Outcome::closed;
    if (!may_pass(errno))
      return fail("standard output cannot be written: {}", std::strerror(errno));
  }
  return Outcome::written;
}

std::ptrdiff_t PipeSink::write_some(std::span<const std::uint8_t> bytes) const {
  if (is_socket_) return ::send(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  return ::write(own_ ? own_.get() : descriptor_, bytes.data(), bytes.size());
}

}  // namespace submix::io
