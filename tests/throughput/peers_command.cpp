// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/peers_command.hpp"

#include "tests/throughput/contestants.hpp"
#include "tests/throughput/progress.hpp"
#include "tests/throughput/testbed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace submix::throughput {
namespace {

/// A set of links over which some contestants do the work.
struct Venue {
  PeersVenue result;
  std::vector<Contestant> contestants;
  std::optional<Testbed> testbed;  // empty: this machine cannot provide it
};

PeerTask task_of(const PeersOptions& options) {
  return {options.size, {}, options.links, options.credits, options.warm_up, options.duration};
}

std::vector<Contestant> wanted(std::vector<Contestant> all, const std::vector<std::string>& only) {
  std::erase_if(all, [&](const Contestant& each) {
    // The plain connections over all links are selected by one name.
    const auto name = each.name.starts_with(plain_name(0)) ? plain_name(0) : each.name;
    return !only.empty() && std::find(only.begin(), only.end(), name) == only.end();
  });
  return all;
}

void open_loopback(Venue& venue) {
  auto own = Testbed::own_loopback(venue.result.links);
  if (own) {
    venue.testbed.emplace(std::move(*own));
    return;
  }
  venue.testbed.emplace(Testbed::loopback(venue.result.links));
  venue.result.note =
      fmt::format("Over loopback GStreamer and FFmpeg use the system's congestion control: {}.",
                  own.error().message);
}

void open_namespaces(Venue& venue, const std::vector<BitRate>& shape) {
  auto testbed = Testbed::namespaces(shape.size(), shape);
  if (!testbed) {
    venue.result.skipped = testbed.error().message;
    return;
  }
  if (auto allowed = testbed->allow_multipath(); !allowed) {
    for (auto& each : venue.contestants) {
      if (each.is_multipath) each.missing = allowed.error().message;
    }
  }
  venue.testbed.emplace(std::move(*testbed));
}

Venue loopback_venue(const PeersOptions& options) {
  Venue venue{{"loopback", true, options.links},
              wanted(loopback_contestants(task_of(options)), options.only),
              {}};
  if (!venue.contestants.empty()) open_loopback(venue);
  return venue;
}

Venue shaped_venue(const PeersOptions& options) {
  auto task = task_of(options);
  task.rate = options.rate;
  Venue venue{{to_text(options.shape), false, options.shape.size(), options.rate.has_value()},
              wanted(shaped_contestants(task), options.only),
              {}};
  if (!venue.contestants.empty()) open_namespaces(venue, options.shape);
  return venue;
}

/// Runs the rounds. Confined (main).
class Contest {
 public:
  Contest(Context& context, std::vector<Venue> venues, std::size_t rounds)
      : context_(context),
        venues_(std::move(venues)),
        rounds_(rounds),
        progress_(rounds * turns().size()) {}

  Result<PeersResult> all_rounds() {
    for (auto& venue : venues_) {
      for (const auto& each : venue.contestants)
        venue.result.peers.push_back({each.name, each.set_up, {}, each.missing, {}});
    }
    const auto order = turns();
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (std::size_t turn = 0; turn < order.size(); ++turn) {
        // No contestant always follows the same one
        const auto& [venue, i] = order[(turn + round) % order.size()];
        progress_.begin_step(fmt::format("round {} of {}, {} over {}", round + 1, rounds_,
                                         venue->contestants[i].name, venue->result.over));
        SUBMIX_TRY(measure_one(*venue, i));
      }
    }
    PeersResult result;
    for (auto& venue : venues_)
      result.venues.push_back(std::move(venue.result));
    return result;
  }

 private:
  /// A contestant by its index at its venue.
  using Turn = std::pair<Venue*, std::size_t>;

  std::vector<Turn> turns() {
    std::vector<Turn> turns;
    for (auto& venue : venues_) {
      for (std::size_t i = 0; venue.testbed && i < venue.contestants.size(); ++i) {
        if (venue.contestants[i].missing.empty()) turns.emplace_back(&venue, i);
      }
    }
    return turns;
  }

  // A contestant's failure is reported. Only an interruption ends the command.
  Result<void> measure_one(Venue& venue, std::size_t i) {
    auto& result = venue.result.peers[i];
    if (!result.skipped.empty()) return {};
    const auto round = venue.contestants[i].measure(*venue.testbed, [this] { return look(); });
    if (auto go_on = context_.go_on(); !go_on) return go_on;
    if (!round) {
      result.skipped = round.error().message;
      return {};
    }
    result.rounds.push_back(round->figures);
    if (round->faults) {
      if (!result.faults) result.faults.emplace();
      *result.faults += *round->faults;
    }
    return {};
  }

  Result<void> look() {
    progress_.tick();
    return context_.go_on();
  }

  Context& context_;
  std::vector<Venue> venues_;
  const std::size_t rounds_;
  Progress progress_;
};

bool has_failed(const PeerResult& peer) {
  return (peer.faults && !peer.faults->is_none()) ||
         (peer.name.starts_with("submix") && !peer.skipped.empty());
}

}  // namespace

Result<PeersResult> measure_peers(Context& context, const PeersOptions& options) {
  std::vector<Venue> venues;
  if (options.has_loopback) venues.push_back(loopback_venue(options));
  if (options.has_namespaces) venues.push_back(shaped_venue(options));
  std::erase_if(venues, [](const Venue& venue) { return venue.contestants.empty(); });
  if (venues.empty()) return fail("nobody of that name takes part there; see --only in --help");
  if (venues.size() == 1 && !venues.front().testbed)
    return fail("{}", venues.front().result.skipped);
  return Contest(context, std::move(venues), options.rounds).all_rounds();
}

int run_peers(Context& context, const PeersOptions& options) {
  const auto result = measure_peers(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}", context.is_json ? to_json(options, *result) + "\n" : to_text(options, *result));
  const bool is_bad =
      std::any_of(result->venues.begin(), result->venues.end(), [](const auto& venue) {
        return venue.skipped.empty() &&
               std::any_of(venue.peers.begin(), venue.peers.end(), has_failed);
      });
  return is_bad ? kFailed : kOk;
}

}  // namespace submix::throughput
