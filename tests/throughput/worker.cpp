// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/worker.hpp"

#include "common/base/realtime.hpp"
#include "tests/throughput/channel.hpp"
#include "tests/throughput/frame_ports.hpp"
#include "tests/throughput/job.hpp"
#include "tests/throughput/ledger.hpp"
#include "tests/throughput/receiving.hpp"
#include "tests/throughput/sending.hpp"

#include <csignal>

namespace submix::throughput {
namespace {

constexpr std::chrono::milliseconds kWorkerPatience{10'000};
constexpr std::chrono::milliseconds kWorkerLook{50};

// As in a node, except that here a missing permission is an error.
Result<void> become_realtime() {
  if (auto allowed = allow_realtime_threads(); !allowed) return allowed;
  return lock_memory();
}

Result<SideReport> send(const Job& job, const Ledger& ledger, Channel& channel) {
  auto outputs =
      job.transport == Transport::submix ? open_stream_outputs(job) : open_socket_outputs(job);
  SUBMIX_TRY(outputs);
  auto report = send_frames(job, *outputs, ledger);
  if (!report) return report;
  // The streams stay open until the other side has everything. The end of this process's channel
  // says so.
  SUBMIX_TRY(channel.send(encode(*report)));
  while (channel.receive_for(kWorkerPatience)) {
  }
  return report;
}

Result<SideReport> receive(const Job& job, const Ledger& ledger, Channel& channel) {
  auto inputs =
      job.transport == Transport::submix ? open_stream_inputs(job) : open_socket_inputs(job);
  SUBMIX_TRY(inputs);
  if (auto told = channel.send(encode(Listening{inputs->endpoints, inputs->local})); !told)
    return tl::unexpected(told.error());
  const auto ask_for_ending = [&channel]() -> Result<std::optional<std::vector<std::uint64_t>>> {
    const auto message = channel.receive_for(kWorkerLook);
    SUBMIX_TRY(message);
    if (!*message) return std::optional<std::vector<std::uint64_t>>();
    auto ending = decode_ending(**message);
    SUBMIX_TRY(ending);
    return std::optional(std::move(ending->frames_sent));
  };
  auto report = receive_frames(job, *inputs, ledger, ask_for_ending);
  if (!report) return report;
  SUBMIX_TRY(channel.send(encode(*report)));
  return report;
}

Result<SideReport> work(Channel& channel) {
  const auto message = channel.receive_for(kWorkerPatience);
  SUBMIX_TRY(message);
  if (!*message) return fail("no job came");
  const auto job = decode_job(**message);
  SUBMIX_TRY(job);
  const auto ledger = Ledger::attach(job->ledger);
  SUBMIX_TRY(ledger);
  if (job->is_realtime) {  // after the ledger: locking also touches all memory mapped so far
    SUBMIX_TRY(become_realtime());
  }
  return job->side == Side::send ? send(*job, *ledger, channel) : receive(*job, *ledger, channel);
}

}  // namespace

int run_worker(int channel_descriptor) {
  std::signal(SIGPIPE, SIG_IGN);
  Channel channel{Descriptor(channel_descriptor)};
  const auto done = work(channel);
  if (done) return 0;
  static_cast<void>(channel.send(encode_failure(done.error())));
  return 1;
}

}  // namespace submix::throughput
