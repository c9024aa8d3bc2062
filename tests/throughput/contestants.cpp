// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/contestants.hpp"

#include "common/base/allocation_count.hpp"
#include "tests/throughput/external_peer.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/random_key.hpp"
#include "tests/throughput/run_figures.hpp"
#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>

#include <numeric>

namespace submix::throughput {
namespace {

using Links = std::vector<std::size_t>;

Links first_links(std::size_t count) {
  Links links(count);
  std::iota(links.begin(), links.end(), std::size_t{0});
  return links;
}

double frames_per_cpu_s(double cpu_s_per_gb, Size size) {
  return kGiga / (cpu_s_per_gb * static_cast<double>(wire_bytes(size)));
}

Job job_of(const PeerTask& task, Transport transport) {
  Job job;
  job.transport = transport;
  job.size = task.size;
  job.rate = task.rate;
  job.credits = task.credits;
  job.warm_up = task.warm_up;
  job.duration = task.duration;
  return job;
}

/// A round by this program in two processes.
Result<PeerRound> own_round(const Testbed& testbed, Job job, const Links& links,
                            const Meanwhile& meanwhile) {
  job.has_key = !testbed.is_loopback();
  if (job.has_key) job.key = random_key();
  const auto outcome = measure(testbed, job, links, meanwhile);
  SUBMIX_TRY(outcome);
  const auto run = figures_of(*outcome, wire_bytes(job.size));
  SUBMIX_TRY(run);
  PeerFigures figures;
  figures.goodput_mb_s = run->goodput_mb_s;
  figures.frames_per_second = run->frames_per_second;
  figures.cpu_s_per_gb_send = run->cpu_s_per_gb_send;
  figures.cpu_s_per_gb_receive = run->cpu_s_per_gb_receive;
  figures.frames_per_cpu_s =
      frames_per_cpu_s(run->cpu_s_per_gb_send + run->cpu_s_per_gb_receive, job.size);
  figures.faults_per_frame = run->faults_per_frame;
  if (can_count_allocations()) figures.allocations_per_frame = run->allocations_per_frame;
  figures.latency_ms_p50 = run->latency_ms.p50;
  figures.latency_ms_p99 = run->latency_ms.p99;
  figures.transit_ms_p50 = run->transit_ms.p50;
  figures.transit_ms_p99 = run->transit_ms.p99;
  return PeerRound{figures, run->faults};
}

Result<PeerRound> external_round(const Testbed& testbed, const ExternalPeer& peer,
                                 const PeerTask& task, const Meanwhile& meanwhile) {
  const auto measured =
      measure_external(testbed, peer, task.size, task.warm_up, task.duration, meanwhile);
  SUBMIX_TRY(measured);
  const double gigabytes = measured->bytes / kGiga;
  const double frames = measured->bytes / static_cast<double>(wire_bytes(task.size));
  PeerFigures figures;
  figures.goodput_mb_s = measured->bytes / kMega / measured->seconds;
  figures.frames_per_second = frames / measured->seconds;
  figures.cpu_s_per_gb_send = measured->cpu_s_send / gigabytes;
  figures.cpu_s_per_gb_receive = measured->cpu_s_receive / gigabytes;
  figures.frames_per_cpu_s =
      frames_per_cpu_s(figures.cpu_s_per_gb_send + figures.cpu_s_per_gb_receive, task.size);
  figures.faults_per_frame = measured->page_faults / frames;
  return PeerRound{figures, std::nullopt};
}

Contestant own(std::string name, std::string set_up, Job job, Links links) {
  return {std::move(name), std::move(set_up), "", job.transport == Transport::mptcp,
          [job = std::move(job), links = std::move(links)](const Testbed& testbed,
                                                           const Meanwhile& meanwhile) {
            return own_round(testbed, job, links, meanwhile);
          }};
}

Contestant plain(const PeerTask& task, std::size_t link) {
  return own(plain_name(link),
             fmt::format("one blocking socket, whole frames, cubic, over link {}", link),
             job_of(task, Transport::plain), {link});
}

Contestant stream(const PeerTask& task, std::string name, std::size_t links,
                  media::PixelFormat pixel) {
  auto job = job_of(task, Transport::submix);
  job.pixel = pixel;
  return own(std::move(name),
             fmt::format("a stream of {} frames over {} {}",
                         pixel == media::PixelFormat::rgba ? "32-bit" : "RGB24", links,
                         links == 1 ? "link" : "links"),
             std::move(job), first_links(links));
}

Contestant local_stream(const PeerTask& task) {
  auto job = job_of(task, Transport::submix);
  job.is_local = true;
  return own("submix-local", "a stream of 32-bit frames by shared memory", std::move(job),
             first_links(task.links));
}

Contestant multipath(const PeerTask& task, std::string name, std::string set_up,
                     std::string congestion, int send_buffer_bytes) {
  auto job = job_of(task, Transport::mptcp);
  job.congestion = std::move(congestion);
  job.send_buffer_bytes = send_buffer_bytes;
  return own(std::move(name), std::move(set_up), std::move(job), {0});
}

Contestant external(const PeerTask& task, const ExternalPeer& peer) {
  return {peer.name, peer.set_up,
          is_installed(peer.program) ? "" : "the program " + peer.program + " is not installed",
          false, [&peer, task](const Testbed& testbed, const Meanwhile& meanwhile) {
            return external_round(testbed, peer, task, meanwhile);
          }};
}

}  // namespace

std::vector<Contestant> loopback_contestants(const PeerTask& task) {
  std::vector<Contestant> all{plain(task, 0)};
  for (const auto& peer : external_peers())
    all.push_back(external(task, peer));
  if (task.links > 1) all.push_back(stream(task, "submix-1-link", 1, media::PixelFormat::rgba));
  all.push_back(stream(task, "submix", task.links, media::PixelFormat::rgba));
  all.push_back(stream(task, "submix-rgb24", task.links, media::PixelFormat::rgb24));
  all.push_back(local_stream(task));
  return all;
}

std::vector<Contestant> shaped_contestants(const PeerTask& task) {
  constexpr int kKiB = 1024;
  std::vector<Contestant> all;
  for (std::size_t link = 0; link < (task.rate ? 1 : task.links); ++link)
    all.push_back(plain(task, link));
  all.push_back(multipath(task, "mptcp",
                          "the kernel's MPTCP, cubic, buffers as the kernel sees fit", "cubic", 0));
  all.push_back(multipath(task, "mptcp-256k", "the kernel's MPTCP, cubic, a send buffer of 256 KiB",
                          "cubic", 256 * kKiB));
  all.push_back(multipath(task, "mptcp-1m", "the kernel's MPTCP, cubic, a send buffer of 1 MiB",
                          "cubic", 1024 * kKiB));
  all.push_back(multipath(task, "mptcp-system",
                          "the kernel's MPTCP with the system's congestion control", "", 0));
  all.push_back(stream(task, "submix", task.links, media::PixelFormat::rgba));
  all.push_back(stream(task, "submix-rgb24", task.links, media::PixelFormat::rgb24));
  return all;
}

}  // namespace submix::throughput
