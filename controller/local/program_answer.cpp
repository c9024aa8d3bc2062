// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/program_answer.hpp"

#include "common/base/child_process.hpp"
#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace submix::local {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAnswerBytesMax = 65'536;

/// Everything that a child writes, until it closes its end or the deadline has come.
std::string read_all(const Descriptor& from, Clock::time_point deadline) {
  std::string text;
  std::array<char, 1024> bytes{};
  while (text.size() < kAnswerBytesMax) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{from.get(), POLLIN, 0};
    if (left <= 0 || ::poll(&ready, 1, static_cast<int>(left)) <= 0) break;
    const auto count = ::read(from.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Result<std::string> answer_of(const std::vector<std::string>& command,
                              std::chrono::milliseconds patience) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("no descriptor is left");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  auto child = ChildProcess::start_writing_to(writing.get(), command);
  SUBMIX_TRY(child);
  writing = Descriptor();
  return read_all(reading, Clock::now() + patience);
}

}  // namespace submix::local
