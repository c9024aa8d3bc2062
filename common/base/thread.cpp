// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/thread.hpp"

#include <pthread.h>

#include <ctime>
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
