// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/program_answer.hpp"

#include "common/base/child_process.hpp"
#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace submix::local {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAnswerBytesMax = 65'536;
constexpr std::chrono::milliseconds kStopPollPeriod(50);

/// Everything that a child writes, until it closes its end, the deadline has come or `stop` is
/// requested.
std::string read_all(const Descriptor& from, Clock::time_point deadline,
                     const std::stop_token& stop) {
  std::string text;
  std::array<char, 1024> bytes{};
  while (text.size() < kAnswerBytesMax && !stop.stop_requested()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) break;
    pollfd ready{from.get(), POLLIN, 0};
    const auto has_come =
        ::poll(&ready, 1, static_cast<int>(std::min(left, kStopPollPeriod).count()));
    if (has_come < 0) break;
    if (has_come == 0) continue;
    const auto count = ::read(from.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Result<std::string> answer_of(const std::vector<std::string>& command,
                              std::chrono::milliseconds patience, const std::stop_token& stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("no descriptor is left");
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  auto child = ChildProcess::start_writing_to(writing.get(), command);
  SUBMIX_TRY(child);
  writing = Descriptor();
  return read_all(reading, Clock::now() + patience, stop);
}

}  // namespace submix::local
