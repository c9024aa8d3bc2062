// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/measurement.hpp"

#include "common/base/child_process.hpp"
#include "tests/throughput/channel.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{20};
constexpr milliseconds kPatience{20'000};  // beyond what the job itself takes
constexpr double kNanoseconds = 1e9;

/// A child that does one side of a job.
struct Worker {
  Channel channel;
  ChildProcess process;
};

Result<Worker> start_worker(const Testbed& testbed, const Job& job) {
  auto ends = Channel::open();
  if (!ends) return tl::unexpected(ends.error());
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto descriptor = std::to_string(ends->for_child.get());
  auto started =
      ChildProcess::start(testbed.command_on(job.side, {program.string(), "worker", descriptor}), {});
  if (!started) return tl::unexpected(started.error());
  if (auto told = ends->own.send(encode(job)); !told) return tl::unexpected(told.error());
  return Worker{std::move(ends->own), std::move(*started)};
}

/// Waits for a message of `speaker`; one of `other` meanwhile can only be its failure.
Result<std::string> wait_for_message(Worker& speaker, Worker* other, const Meanwhile& meanwhile,
                                     milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    auto message = speaker.channel.receive_for(kLook);
    if (auto go_on = meanwhile(); !go_on) return tl::unexpected(go_on.error());
    if (!message) return tl::unexpected(message.error());
    if (*message) return std::move(**message);
    if (other == nullptr) continue;
    auto failure = other->channel.receive_for(milliseconds(0));
    if (!failure) return tl::unexpected(failure.error());
    if (*failure) return std::move(**failure);
  }
  return fail("a measuring process has said nothing for {} s", patience.count() / 1000);
}

// A bound by memory speed: no stream is faster than 20 GB/s or 100,000 frames/s.
std::size_t frames_bound(const Job& job) {
  constexpr double kBytesPerSecondMax = 20e9;
  constexpr double kFramesPerSecondMax = 100'000;
  const double fastest =
      std::min(kBytesPerSecondMax / static_cast<double>(wire_bytes(job.size)), kFramesPerSecondMax);
  const double per_second = job.rate ? job.rate->frames_per_second() + 1 : fastest;
  const double seconds = std::chrono::duration<double>(job.warm_up + job.duration).count() + 1;
  // With several streams one goes on until all are measured.
  return static_cast<std::size_t>(per_second * seconds) + 2 * job.frames + 4 * job.credits + 100;
}

milliseconds time_needed(const Job& job) {
  if (job.frames == 0) return job.warm_up + job.duration + kPatience;
  if (!job.rate) return std::chrono::hours(1);  // each side ends by itself where nothing moves
  return job.warm_up + kPatience + std::chrono::duration_cast<milliseconds>(job.rate->time_of({job.frames}));
}

Result<SideReport> wait_for_report(Worker& worker, Worker* other, const Meanwhile& meanwhile,
                                   milliseconds patience) {
  const auto message = wait_for_message(worker, other, meanwhile, patience);
  if (!message) return tl::unexpected(message.error());
  return decode_report(*message);
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
  if (!ledger) return tl::unexpected(ledger.error());
  job.ledger = ledger->descriptor();
  job.side = Side::receive;
  choose_links(job, testbed, links);
  auto receiver = start_worker(testbed, job);
  if (!receiver) return tl::unexpected(receiver.error());
  const auto first = wait_for_message(*receiver, nullptr, meanwhile, kPatience);
  if (!first) return tl::unexpected(first.error());
  auto listening = decode_listening(*first);
  if (!listening) return tl::unexpected(listening.error());

  job.side = Side::send;
  job.endpoints = std::move(listening->endpoints);
  choose_links(job, testbed, links);
  auto sender = start_worker(testbed, job);
  if (!sender) return tl::unexpected(sender.error());
  auto sent = wait_for_report(*sender, &*receiver, meanwhile, time_needed(job));
  if (!sent) return tl::unexpected(sent.error());
  if (auto told = receiver->channel.send(encode(Ending{sent->frames})); !told)
    return tl::unexpected(told.error());
  auto received = wait_for_report(*receiver, nullptr, meanwhile, kPatience);
  if (!received) return tl::unexpected(received.error());
  return Outcome{std::move(*ledger), std::move(*sent), std::move(*received)};
}

Result<WindowFigures> read_window(const Ledger& ledger, Size size) {
  WindowFigures figures;
  for (std::size_t stream = 0; stream < ledger.shape().streams; ++stream) {
    const auto begin = ledger.window(stream).begin.load();
    const auto end = ledger.window(stream).end.load();
    if (end == Window::kOpen || begin >= end) return fail("stream {}: no frame was measured", stream);
    const auto from = ledger.times(stream, begin).released;
    const auto to = ledger.times(stream, end).released;
    if (from == 0 || to <= from) return fail("stream {}: frame {} or {} never came", stream, begin, end);
    const double seconds = static_cast<double>(to - from) / kNanoseconds;
    const auto frames = end - begin;
    figures.frames += frames;
    figures.frames_per_second += static_cast<double>(frames) / seconds;
    for (auto index = begin; index < end; ++index) {
      const auto& times = ledger.times(stream, index);
      if (times.released == 0) continue;  // counted as lost
      figures.latencies_s.push_back(static_cast<double>(times.released - times.offered) / kNanoseconds);
      figures.transits_s.push_back(static_cast<double>(times.released - times.begun) / kNanoseconds);
      figures.offered_s.push_back(static_cast<double>(times.offered) / kNanoseconds);
    }
  }
  figures.bytes_per_second = figures.frames_per_second * static_cast<double>(wire_bytes(size));
  return figures;
}

}  // namespace submix::throughput
