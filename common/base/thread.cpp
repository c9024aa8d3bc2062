// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread.hpp"

#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <utility>

namespace submix {
namespace {

thread_local bool computes_or_carries_frames = false;

}  // namespace

bool is_frame_thread() {
  return computes_or_carries_frames;
}

std::chrono::nanoseconds thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// The file has three numbers: nanoseconds on a core, nanoseconds without one, and times on a core.
std::chrono::nanoseconds thread_run_delay() {
  thread_local const Descriptor file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text{};
  const auto length = ::pread(file.get(), text.data(), text.size(), 0);
  if (length <= 0) return {};
  std::string_view numbers(text.data(), static_cast<std::size_t>(length));
  numbers.remove_prefix(std::min(numbers.find(' ') + 1, numbers.size()));
  std::int64_t delay = 0;
  std::from_chars(numbers.data(), numbers.data() + numbers.size(), delay);
  return std::chrono::nanoseconds(delay);
}

std::jthread start_thread(const std::string& name, std::function<void(std::stop_token)> body,
                          Urgency urgency) {
  return std::jthread(
      [name = name.substr(0, 15), body = std::move(body), urgency](std::stop_token stop) {
        pthread_setname_np(pthread_self(), name.c_str());
        computes_or_carries_frames = urgency != Urgency::normal;
        const RaisedThread raised(urgency);
        body(std::move(stop));
      });
}

}  // namespace submix
