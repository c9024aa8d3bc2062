// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr double kNanoseconds = 1e9;

Result<SideReport> wait_for_report(WorkerProcess& worker, WorkerProcess* other,
                                   const Meanwhile& meanwhile, milliseconds patience) {
  const auto message = worker.wait_for_message(other, meanwhile, patience);
  SUBMIX_TRY(message);
  return decode_report(*message);
}

Result<WorkerProcess> start_worker(const Testbed& testbed, const Job& job) {
  return WorkerProcess::start(job, [&](const std::vector<std::string>& command) {
    return testbed.command_on(job.side, command);
  });
}

void choose_links(Job& job, const Testbed& testbed, const std::vector<std::size_t>& links) {
  const auto all = testbed.addresses(job.side);
  job.addresses.clear();
  for (const auto link : links)
    job.addresses.push_back(all.at(link));
}

}  // namespace

std::vector<std::size_t> all_links(const Testbed& testbed) {
  std::vector<std::size_t> links;
  for (std::size_t link = 0; link < testbed.links(); ++link)
    links.push_back(link);
  return links;
}

Result<Outcome> measure(const Testbed& testbed, Job job, const std::vector<std::size_t>& links,
                        const Meanwhile& meanwhile) {
  auto ledger = Ledger::create({job.streams, frames_bound(job)});
  SUBMIX_TRY(ledger);
  job.ledger = ledger->descriptor();
  job.side = Side::receive;
  choose_links(job, testbed, links);
  auto receiver = start_worker(testbed, job);
  SUBMIX_TRY(receiver);
  const auto first = receiver->wait_for_message(nullptr, meanwhile, kAnswerPatience);
  SUBMIX_TRY(first);
  auto listening = decode_listening(*first);
  SUBMIX_TRY(listening);

  job.side = Side::send;
  job.endpoints = std::move(listening->endpoints);
  job.local = std::move(listening->local);
  choose_links(job, testbed, links);
  auto sender = start_worker(testbed, job);
  SUBMIX_TRY(sender);
  auto sent = wait_for_report(*sender, &*receiver, meanwhile, patience_for(job));
  SUBMIX_TRY(sent);
  if (auto told = receiver->tell(encode(Ending{sent->frames})); !told)
    return tl::unexpected(told.error());
  auto received = wait_for_report(*receiver, nullptr, meanwhile, kAnswerPatience);
  SUBMIX_TRY(received);
  return Outcome{std::move(*ledger), std::move(*sent), std::move(*received)};
}

// Bytes that lay in the socket when the window began were carried before, however late the receiver
// was.
Result<WindowFigures> read_window(const Ledger& ledger, std::size_t frame_bytes) {
  WindowFigures figures;
  const auto bytes = static_cast<double>(frame_bytes);
  for (std::size_t stream = 0; stream < ledger.shape().streams; ++stream) {
    const auto begin = ledger.window(stream).begin.load();
    const auto end = ledger.window(stream).end.load();
    if (end == Window::kOpen || begin >= end)
      return fail("stream {}: no frame was measured", stream);
    const auto& from = ledger.times(stream, begin);
    const auto& to = ledger.times(stream, end);
    if (from.released == 0 || to.released <= from.released)
      return fail("stream {}: frame {} or {} never came", stream, begin, end);
    const double seconds = static_cast<double>(to.released - from.released) / kNanoseconds;
    const auto waiting = static_cast<double>(to.waiting_bytes - from.waiting_bytes) / bytes;
    const auto frames = end - begin;
    figures.frames += frames;
    figures.frames_per_second += (static_cast<double>(frames) + waiting) / seconds;
    for (auto index = begin; index < end; ++index) {
      const auto& times = ledger.times(stream, index);
      if (times.released == 0) continue;  // counted as lost
      figures.latencies_s.push_back(static_cast<double>(times.released - times.offered) /
                                    kNanoseconds);
      figures.transits_s.push_back(static_cast<double>(times.released - times.begun) /
                                   kNanoseconds);
      figures.offered_s.push_back(static_cast<double>(times.offered) / kNanoseconds);
    }
  }
  figures.bytes_per_second = figures.frames_per_second * bytes;
  return figures;
}

}  // namespace submix::throughput
