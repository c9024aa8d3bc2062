// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/job_loop.hpp"

#include "common/base/realtime.hpp"
#include "common/base/thread.hpp"
#include "node/host/futex.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace submix::host {
namespace {

ControlBlock* map_control_block() {
  void* const mapped =
      ::mmap(nullptr, kControlBytes, PROT_READ | PROT_WRITE, MAP_SHARED, kControlDescriptor, 0);
  ::close(kControlDescriptor);
  return mapped == MAP_FAILED ? nullptr : static_cast<ControlBlock*>(mapped);
}

Result<void> take_messages(JobHandler& handler, std::uint32_t& taken, std::uint32_t wanted) {
  for (; taken != wanted; ++taken) {
    auto received = receive(kChannelDescriptor);
    SUBMIX_TRY(received);
    if (auto done = handler.take(*std::move(received)); !done) return done;
  }
  return {};
}

// Returns only with an error. Otherwise the process's end is its end.
Result<void> run(JobHandler& handler, ControlBlock& control) {
  become_ordinary_when_out_of_time();
  static_cast<void>(thread_run_delay());  // opens its file, which the handler then forbids
  if (auto begun = handler.begin(); !begun) return begun;
  std::uint32_t messages = 0;
  for (std::uint32_t done = 0;;) {
    // The job was published before.
    const auto asked = control.asked.load(std::memory_order_acquire);
    if (asked == done) {
      wait_while(control.asked, done, std::nullopt);
      continue;
    }
    if (auto taken = take_messages(handler, messages, control.job.messages); !taken) return taken;
    if (auto worked = handler.work(control); !worked) return worked;
    done = asked;
    control.run_delay_ns = static_cast<std::uint64_t>(thread_run_delay().count());
    control.answered.store(done, std::memory_order_release);  // publishes the picture
    wake(control.answered);
  }
}

void tell(ControlBlock& control, std::string_view problem) {
  const auto length = std::min(problem.size(), control.problem.size() - 1);
  std::memcpy(control.problem.data(), problem.data(), length);
  control.problem[length] = '\0';
}

}  // namespace

void do_jobs(JobHandler& handler) {
  ::close_range(kControlDescriptor + 1, ~0U, 0);  // descriptors that the node may have left open
  auto* const control = map_control_block();
  if (control == nullptr) std::_Exit(1);
  const auto ended = run(handler, *control);
  tell(*control, ended ? "it ended" : ended.error().message);
  std::_Exit(1);  // runs no destructors of a plugin
}

}  // namespace submix::host
