// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/link_command.hpp"

#include "common/link/cards/interfaces.hpp"
#include "common/link/cards/pairing.hpp"
#include "tests/throughput/link_access.hpp"
#include "tests/throughput/link_messages.hpp"
#include "tests/throughput/measurement.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/remote_line.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

// The receiver's window begins a little later than the sender's and must end while data is still
// sent.
constexpr milliseconds kSentLonger{500};

/// The figures of one test.
struct Carried {
  LinkRate rate;
  FrameFaults faults;
  std::string complaints;
};

/// Rates of several rounds.
struct Rounds {
  std::vector<LinkRate> rates;

  [[nodiscard]] LinkRate median() const {
    LinkRate middle;
    for (const auto member :
         {&LinkRate::goodput_mb_s, &LinkRate::cpu_s_per_gb_send, &LinkRate::cpu_s_per_gb_receive,
          &LinkRate::allocations_per_frame, &LinkRate::faults_per_frame})
      middle.*member = median_by([member](const LinkRate& rate) { return rate.*member; });
    for (const auto member : {&LinkRate::latency_ms_p50, &LinkRate::latency_ms_p99}) {
      const bool is_known = std::all_of(rates.begin(), rates.end(),
                                        [member](const auto& rate) { return rate.*member; });
      if (is_known)
        middle.*member = median_by([member](const LinkRate& rate) { return *(rate.*member); });
    }
    return middle;
  }
  template <typename Pick>
  [[nodiscard]] double median_by(Pick pick) const {
    std::vector<double> values;
    for (const auto& rate : rates)
      values.push_back(pick(rate));
    return throughput::median(std::move(values));
  }
};

Result<RemoteLine> call(const LinkOptions& options, const std::optional<wire::Key>& key) {
  const auto place = look_up(options.host, options.port);
  SUBMIX_TRY(place);
  Descriptor socket(::socket(place->place.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  constexpr timeval kPatience{5, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket.get(), place->get(), place->bytes) != 0) {
    return fail("{} port {}: {}; does `submix-throughput serve` run there, with --listen?",
                options.host, options.port, std::strerror(errno));
  }
  return RemoteLine::begin(std::move(socket), RemoteLine::End::client, key.value_or(wire::Key{}));
}

double seconds_per_gb(std::chrono::nanoseconds used, std::uint64_t frames, Size size) {
  return std::chrono::duration<double>(used).count() /
         (static_cast<double>(frames) * static_cast<double>(wire_bytes(size)) / kGiga);
}

double per_frame(std::uint64_t count, std::uint64_t frames) {
  return static_cast<double>(count) / static_cast<double>(frames);
}

/// The tests of one connection. Confined (main).
class LinkTest {
 public:
  LinkTest(Context& context, const LinkOptions& options, RemoteLine line,
           std::optional<wire::Key> key)
      : context_(context),
        options_(options),
        line_(std::move(line)),
        key_(key),
        size_(*parse_size(options.size)) {}

  Result<LinkResult> run() {
    auto cards = ask(AskCards{}, decode_cards);
    SUBMIX_TRY(cards);
    const auto addresses = data_addresses(options_.data_addresses, key_.has_value());
    SUBMIX_TRY(addresses);
    auto pairs = pairs_of(*addresses, *cards);
    if (pairs.empty())
      return fail("no card here and none of {} have addresses of one family; see --data-address",
                  cards->host);
    LinkResult result{cards->host, std::move(pairs), {}, 0, {}, {}};
    Progress progress(options_.rounds * (result.pairs.size() + 1));
    progress_ = &progress;
    SUBMIX_TRY(all_rounds(result));
    return result;
  }

 private:
  [[nodiscard]] static std::vector<PairResult> pairs_of(const std::vector<std::string>& own,
                                                        const Cards& cards) {
    auto interfaces = link::list_interfaces();
    link::add_speeds(interfaces);
    std::vector<link::OwnAddress> candidates;
    for (const auto& address : own)
      candidates.push_back({address});
    const auto count = std::min(own.size(), cards.addresses.size());
    std::vector<PairResult> pairs;
    for (const auto& path : link::pair_cards(candidates, cards.addresses, {count, {}})) {
      PairResult pair;
      pair.from = path.from;
      pair.to = path.to.address;
      if (const auto* card = link::find_address(path.from, interfaces)) {
        pair.mtu_bytes = card->mtu_bytes;
        pair.speed_mbit = card->speed_mbit;
      }
      if (path.to.mtu_bytes > 0)
        pair.mtu_bytes =
            pair.mtu_bytes == 0 ? path.to.mtu_bytes : std::min(pair.mtu_bytes, path.to.mtu_bytes);
      const bool is_new = std::none_of(pairs.begin(), pairs.end(), [&](const PairResult& each) {
        return each.from == pair.from && each.to == pair.to;
      });
      if (is_new) pairs.push_back(std::move(pair));
    }
    return pairs;
  }

  Result<void> all_rounds(LinkResult& result) {
    std::vector<Rounds> alone(result.pairs.size());
    Rounds together;
    for (std::size_t round = 1; round <= options_.rounds; ++round) {
      for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        if (auto done = test_alone(result.pairs[i], alone[i], round); !done) return done;
      }
      if (auto done = test_together(result, together, round); !done) return done;
    }
    double sum = 0;
    double best = 0;
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
      if (!result.pairs[i].problem.empty()) continue;
      result.pairs[i].alone = alone[i].median();
      sum += result.pairs[i].alone.goodput_mb_s;
      best = std::max(best, result.pairs[i].alone.goodput_mb_s);
    }
    result.together = together.median();
    // Links on one machine share its speed: together they carry as much as one.
    result.line_share =
        result.together.goodput_mb_s / (link::is_loopback(result.pairs.front().from) ? best : sum);
    result.verdict = verdict(result.together.goodput_mb_s * kMega, usable(result).size());
    return {};
  }

  // A pair that carries nothing is reported. Only a lost connection or an interruption ends the
  // command.
  Result<void> test_alone(PairResult& pair, Rounds& rounds, std::size_t round) {
    progress_->begin_step(
        fmt::format("round {} of {}, {} to {} alone", round, options_.rounds, pair.from, pair.to));
    if (!pair.problem.empty()) return {};
    const auto carried = carry(Transport::plain, {pair});
    if (auto go_on = context_.go_on(); !go_on) return go_on;
    if (carried) {
      rounds.rates.push_back(carried->rate);
      pair.faults += carried->faults;
    } else {
      pair.problem = carried.error().message;
    }
    return {};
  }

  Result<void> test_together(LinkResult& result, Rounds& rounds, std::size_t round) {
    const auto pairs = usable(result);
    progress_->begin_step(
        fmt::format("round {} of {}, {} together", round, options_.rounds, pairs.size()));
    if (pairs.empty())
      return fail("no pair of cards carries anything: {}", result.pairs.front().problem);
    const auto carried = carry(Transport::submix, pairs);
    SUBMIX_TRY(carried);
    rounds.rates.push_back(carried->rate);
    result.faults += carried->faults;
    if (result.complaints.empty()) result.complaints = carried->complaints;
    return {};
  }

  static std::vector<PairResult> usable(const LinkResult& result) {
    std::vector<PairResult> pairs;
    for (const auto& pair : result.pairs) {
      if (pair.problem.empty()) pairs.push_back(pair);
    }
    return pairs;
  }

  Result<Carried> carry(Transport transport, const std::vector<PairResult>& pairs) {
    AskReceive request;
    request.transport = transport;
    request.size = options_.size;
    request.warm_up = options_.warm_up;
    request.duration = options_.duration;
    request.token = wire::random_nonce();
    Job job;
    for (const auto& pair : pairs) {
      request.addresses.push_back(pair.to);
      job.addresses.push_back(pair.from);
    }
    auto listening = ask(request, decode_listening);
    SUBMIX_TRY(listening);
    job.transport = transport;
    job.size = size_;
    job.warm_up = options_.warm_up;
    job.duration = options_.duration + kSentLonger;
    job.endpoints = std::move(listening->endpoints);
    job.has_key = key_.has_value();
    if (key_) job.key = *key_;
    job.token = request.token;
    job.is_remote = true;
    return send(std::move(job));
  }

  Result<Carried> send(Job job) {
    const auto ledger = Ledger::create({job.streams, frames_bound(job)});
    SUBMIX_TRY(ledger);
    job.ledger = ledger->descriptor();
    auto worker = WorkerProcess::start(job, [](const auto& command) { return command; });
    SUBMIX_TRY(worker);
    const auto message =
        worker->wait_for_message(nullptr, [this] { return look(); }, patience_for(job));
    SUBMIX_TRY(message);
    const auto sent = decode_report(*message);
    SUBMIX_TRY(sent);
    const auto report = ask(AskReport{sent->frames.at(0)}, decode_remote_report);
    SUBMIX_TRY(report);
    if (!report->side.is_measured || !sent->is_measured)
      return fail("the receiver has measured nothing");
    return Carried{rate_of(*ledger, *sent, *report), report->side.faults, sent->complaints};
  }

  [[nodiscard]] LinkRate rate_of(const Ledger& ledger, const SideReport& sent,
                                 const RemoteReport& report) const {
    const auto& received = report.side;
    LinkRate rate;
    rate.goodput_mb_s = report.bytes_per_second / kMega;
    rate.cpu_s_per_gb_send = seconds_per_gb(sent.used.cpu, sent.frames_measured, size_);
    rate.cpu_s_per_gb_receive = seconds_per_gb(received.used.cpu, received.frames_measured, size_);
    rate.allocations_per_frame = per_frame(sent.used.allocations, sent.frames_measured) +
                                 per_frame(received.used.allocations, received.frames_measured);
    rate.faults_per_frame = per_frame(sent.used.page_faults, sent.frames_measured) +
                            per_frame(received.used.page_faults, received.frames_measured);
    if (!sent.clock_offset) return rate;
    const auto latency = distribution(latencies_ms(ledger, report.releases, *sent.clock_offset));
    if (latency.count == 0) return rate;
    rate.latency_ms_p50 = latency.p50;
    rate.latency_ms_p99 = latency.p99;
    return rate;
  }

  template <typename Decode>
  auto ask(const Request& request, Decode decode) -> decltype(decode(std::string())) {
    SUBMIX_TRY(line_.send(encode(request)));
    const auto answer =
        line_.receive(kAnswerPatience + milliseconds(10'000), [this] { return look(); });
    SUBMIX_TRY(answer);
    return decode(*answer);
  }

  Result<void> look() {
    if (progress_ != nullptr) progress_->tick();
    return context_.go_on();
  }

  Context& context_;
  const LinkOptions& options_;
  RemoteLine line_;
  const std::optional<wire::Key> key_;
  const Size size_;
  Progress* progress_ = nullptr;
};

}  // namespace

Result<LinkResult> measure_link(Context& context, const LinkOptions& options) {
  const auto key = read_stream_key(options.key_file);
  SUBMIX_TRY(key);
  auto line = call(options, *key);
  SUBMIX_TRY(line);
  return LinkTest(context, options, std::move(*line), *key).run();
}

int run_link(Context& context, const LinkOptions& options) {
  const auto result = measure_link(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}", context.is_json ? to_json(options, *result) + "\n" : to_text(options, *result));
  return result->faults.is_none() ? kOk : kFailed;
}

}  // namespace submix::throughput
