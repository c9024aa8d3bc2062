// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/worker_process.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace submix::throughput {

using std::chrono::milliseconds;

constexpr milliseconds kProcessLook{20};

Result<WorkerProcess> WorkerProcess::start(const Job& job, const Placed& placed) {
  auto ends = Channel::open();
  SUBMIX_TRY(ends);
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto descriptor = std::to_string(ends->for_child.get());
  auto started = ChildProcess::start(placed({program.string(), "worker", descriptor}), {});
  SUBMIX_TRY(started);
  SUBMIX_TRY(ends->own.send(encode(job)));
  return WorkerProcess(std::move(ends->own), std::move(*started));
}

Result<std::string> WorkerProcess::wait_for_message(WorkerProcess* other,
                                                    const Meanwhile& meanwhile,
                                                    milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    auto message = channel_.receive_for(kProcessLook);
    SUBMIX_TRY(meanwhile());
    SUBMIX_TRY(message);
    if (*message) return std::move(**message);
    if (other == nullptr) continue;
    auto failure = other->channel_.receive_for(milliseconds(0));
    SUBMIX_TRY(failure);
    if (*failure) return std::move(**failure);
  }
  return fail("a measuring process has said nothing for {} s", patience.count() / 1000);
}

milliseconds patience_for(const Job& job) {
  if (job.frames == 0) return job.warm_up + job.duration + kAnswerPatience;
  if (!job.rate) return std::chrono::hours(1);  // each side ends by itself if nothing moves
  return job.warm_up + kAnswerPatience +
         std::chrono::duration_cast<milliseconds>(job.rate->time_of({job.frames}));
}

// An upper bound by memory speed: no stream is faster than 20 GB/s or 100,000 frames/s.
std::size_t frames_bound(const Job& job) {
  constexpr double kBytesPerSecondMax = 20e9;
  constexpr double kFramesPerSecondMax = 100'000;
  // Shared memory moves no bytes.
  const double by_bytes =
      job.is_local ? kFramesPerSecondMax
                   : kBytesPerSecondMax / static_cast<double>(wire_bytes(job.size, job.wire));
  const double fastest = std::min(by_bytes, kFramesPerSecondMax);
  const double per_second = job.rate ? job.rate->frames_per_second() + 1 : fastest;
  const double seconds = std::chrono::duration<double>(job.warm_up + job.duration).count() + 1;
  // With several streams, each goes on until all are measured.
  return static_cast<std::size_t>(per_second * seconds) + 2 * job.frames + 4 * job.credits + 100;
}

}  // namespace submix::throughput
