// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/peers_command.hpp"

#include "tests/throughput/external_peer.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/random_key.hpp"
#include "tests/throughput/run_figures.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/testbed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

namespace submix::throughput {
namespace {

constexpr double kMega = 1e6;
constexpr double kGiga = 1e9;

/// A way of doing the work.
struct Contestant {
  std::string name;
  std::string set_up;
  std::string missing;  ///< why it cannot take part; empty: it can
  std::function<Result<PeerFigures>(FrameFaults&)> measure;
};

/// Everyone who takes part, in turn. Confined (main).
class Contest {
 public:
  Contest(Context& context, const PeersOptions& options, const Testbed& testbed)
      : context_(context), options_(options), testbed_(testbed), key_(random_key()) {
    add_plain();
    if (testbed.is_loopback()) add_external_peers();
    if (!testbed.is_loopback()) add_multipath_peers();
    add_own();
    std::erase_if(contestants_, [&](const Contestant& each) { return !is_wanted(each.name); });
  }

  Result<PeersResult> all_rounds() {
    PeersResult result;
    for (const auto& each : contestants_)
      result.peers.push_back({each.name, each.set_up, {}, each.missing, {}});
    Progress progress(options_.rounds * contestants_.size());
    progress_ = &progress;
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      for (std::size_t turn = 0; turn < contestants_.size(); ++turn) {
        const auto i = (turn + round) % contestants_.size();  // nobody always follows the same one
        progress.begin_step(
            fmt::format("round {} of {}, {}", round + 1, options_.rounds, contestants_[i].name));
        if (auto done = measure_one(contestants_[i], result.peers[i]); !done)
          return tl::unexpected(done.error());
      }
    }
    return result;
  }

 private:
  // What others cannot do is told of them; only an interruption ends it all.
  Result<void> measure_one(const Contestant& contestant, PeerResult& result) {
    if (!result.skipped.empty()) return {};
    auto figures = contestant.measure(result.faults);
    if (auto go_on = context_.go_on(); !go_on) return go_on;
    if (figures) {
      result.rounds.push_back(*figures);
    } else {
      result.skipped = figures.error().message;
    }
    return {};
  }
  [[nodiscard]] bool is_wanted(const std::string& name) const {
    return options_.only.empty() ||
           std::find(options_.only.begin(), options_.only.end(), name) != options_.only.end();
  }

  void add_plain() {
    contestants_.push_back({"plain", "one blocking socket, whole frames, cubic, over the first link", "",
                            [this](FrameFaults& faults) {
                              auto plain = job(Transport::plain);
                              return own_figures(plain, {0}, faults);
                            }});
  }

  void add_external_peers() {
    for (const auto& peer : external_peers()) {
      contestants_.push_back(
          {peer.name, peer.set_up,
           is_installed(peer.program) ? "" : "the program " + peer.program + " is not installed",
           [this, &peer](FrameFaults&) { return external_figures(peer); }});
    }
  }

  void add_multipath_peers() {
    const auto add = [this](const char* name, const char* set_up, const char* congestion,
                            int send_buffer_bytes) {
      contestants_.push_back({name, set_up, "", [this, congestion, send_buffer_bytes](FrameFaults& faults) {
                                auto multipath = job(Transport::mptcp);
                                multipath.congestion = congestion;
                                multipath.send_buffer_bytes = send_buffer_bytes;
                                return own_figures(multipath, {0}, faults);
                              }});
    };
    constexpr int kKiB = 1024;
    add("mptcp", "the kernel's MPTCP, cubic, buffers as the kernel sees fit", "cubic", 0);
    add("mptcp-256k", "the same with a send buffer of 256 KiB", "cubic", 256 * kKiB);
    add("mptcp-1m", "the same with a send buffer of 1 MiB", "cubic", 1024 * kKiB);
    add("mptcp-system", "the kernel's MPTCP with the system's congestion control", "", 0);
  }

  void add_own() {
    const auto add = [this](const char* name, std::size_t links, media::PixelFormat pixel) {
      const auto* depth = pixel == media::PixelFormat::rgba ? "32-bit" : "RGB24";
      contestants_.push_back(
          {name, fmt::format("a stream of {} frames over {} {}", depth, links, links == 1 ? "link" : "links"),
           "", [this, links, pixel](FrameFaults& faults) {
             auto chosen = all_links(testbed_);
             chosen.resize(links);
             auto own = job(Transport::submix);
             own.pixel = pixel;
             return own_figures(own, chosen, faults);
           }});
    };
    if (testbed_.is_loopback() && options_.links > 1) add("submix-1-link", 1, media::PixelFormat::rgba);
    add("submix", options_.links, media::PixelFormat::rgba);
    if (testbed_.is_loopback()) add("submix-rgb24", options_.links, media::PixelFormat::rgb24);
    if (testbed_.is_loopback()) add_local();
  }

  void add_local() {
    contestants_.push_back(
        {"submix-local", "a stream of 32-bit frames by shared memory", "", [this](FrameFaults& faults) {
           auto local = job(Transport::submix);
           local.is_local = true;
           return own_figures(local, all_links(testbed_), faults);
         }});
  }

  [[nodiscard]] Job job(Transport transport) const {
    Job job;
    job.transport = transport;
    job.size = options_.size;
    job.rate = options_.rate;
    job.credits = options_.credits;
    job.warm_up = options_.warm_up;
    job.duration = options_.duration;
    job.has_key = !testbed_.is_loopback();
    job.key = key_;
    return job;
  }

  Result<PeerFigures> own_figures(const Job& job, const std::vector<std::size_t>& links,
                                  FrameFaults& faults) {
    const auto outcome = measure(testbed_, job, links, [this] { return look(); });
    if (!outcome) return tl::unexpected(outcome.error());
    const auto figures = figures_of(*outcome, options_.size);
    if (!figures) return tl::unexpected(figures.error());
    faults += figures->faults;
    const double gb_per_frame = static_cast<double>(wire_bytes(options_.size)) / kGiga;
    const double cpu_s_per_frame =
        (figures->cpu_s_per_gb_send + figures->cpu_s_per_gb_receive) * gb_per_frame;
    return PeerFigures{figures->goodput_mb_s,   figures->frames_per_second, 1 / cpu_s_per_frame,
                       figures->latency_ms.p50, figures->latency_ms.p99,    figures->transit_ms.p50,
                       figures->transit_ms.p99};
  }

  Result<PeerFigures> external_figures(const ExternalPeer& peer) {
    const auto figures = measure_external(testbed_, peer, options_.size, options_.warm_up, options_.duration,
                                          [this] { return look(); });
    if (!figures) return tl::unexpected(figures.error());
    const double frames_per_second =
        figures->bytes_per_second / static_cast<double>(wire_bytes(options_.size));
    return PeerFigures{figures->bytes_per_second / kMega,
                       frames_per_second,
                       frames_per_second / figures->cpu_s_per_second,
                       std::nullopt,
                       std::nullopt,
                       std::nullopt,
                       std::nullopt};
  }

  Result<void> look() {
    progress_->tick();
    return context_.go_on();
  }

  Context& context_;
  const PeersOptions& options_;
  const Testbed& testbed_;
  const std::array<std::uint8_t, 32> key_;
  std::vector<Contestant> contestants_;
  Progress* progress_ = nullptr;
};

Result<PeersResult> contest_on(Context& context, const PeersOptions& options, const Testbed& testbed) {
  auto contest = Contest(context, options, testbed).all_rounds();
  if (contest && contest->peers.empty()) return fail("nobody of that name takes part; see --help");
  return contest;
}

Result<PeersResult> contest_on_loopback(Context& context, const PeersOptions& options) {
  if (::geteuid() != 0) {
    const auto testbed = Testbed::loopback(options.links);
    auto result = contest_on(context, options, testbed);
    if (result) result->note = "Without root, GStreamer and FFmpeg use the system's congestion control.";
    return result;
  }
  const auto testbed = Testbed::own_loopback(options.links);
  if (!testbed) return tl::unexpected(testbed.error());
  return contest_on(context, options, *testbed);
}

}  // namespace

Result<PeersResult> measure_peers(Context& context, const PeersOptions& options) {
  if (options.shape.empty()) return contest_on_loopback(context, options);
  const auto testbed = Testbed::namespaces(options.shape.size(), options.shape);
  if (!testbed) return tl::unexpected(testbed.error());
  if (auto allowed = testbed->allow_multipath(); !allowed) return tl::unexpected(allowed.error());
  return contest_on(context, options, *testbed);
}

double median_of(const PeerResult& peer, double PeerFigures::* figure) {
  std::vector<double> values;
  for (const auto& round : peer.rounds)
    values.push_back(round.*figure);
  return median(std::move(values));
}

std::optional<double> median_of(const PeerResult& peer, std::optional<double> PeerFigures::* figure) {
  std::vector<double> values;
  for (const auto& round : peer.rounds) {
    if (!(round.*figure)) return std::nullopt;
    values.push_back(*(round.*figure));
  }
  return median(std::move(values));
}

double ratio_of(const PeerResult& peer, const PeerResult& to, double PeerFigures::* figure) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < peer.rounds.size() && i < to.rounds.size(); ++i)
    ratios.push_back(peer.rounds[i].*figure / (to.rounds[i].*figure));
  return median(std::move(ratios));
}

int run_peers(Context& context, const PeersOptions& options) {
  const auto result = measure_peers(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}", context.is_json ? to_json(options, *result) + "\n" : to_text(options, *result));
  const bool has_faults = std::any_of(result->peers.begin(), result->peers.end(),
                                      [](const auto& peer) { return !peer.faults.is_none(); });
  const bool own_failed = std::any_of(result->peers.begin(), result->peers.end(), [](const auto& peer) {
    return peer.name.starts_with("submix") && !peer.skipped.empty();
  });
  return has_faults || own_failed ? kFailed : kOk;
}

}  // namespace submix::throughput
