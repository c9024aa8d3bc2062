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
struct Place {
  PeersPlace result;
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

void open_loopback(Place& place) {
  auto own = Testbed::own_loopback(place.result.links);
  if (own) {
    place.testbed.emplace(std::move(*own));
    return;
  }
  place.testbed.emplace(Testbed::loopback(place.result.links));
  place.result.note =
      fmt::format("Over loopback GStreamer and FFmpeg use the system's congestion control: {}.",
                  own.error().message);
}

void open_namespaces(Place& place, const std::vector<BitRate>& shape) {
  auto testbed = Testbed::namespaces(shape.size(), shape);
  if (!testbed) {
    place.result.skipped = testbed.error().message;
    return;
  }
  if (auto allowed = testbed->allow_multipath(); !allowed) {
    for (auto& each : place.contestants) {
      if (each.is_multipath) each.missing = allowed.error().message;
    }
  }
  place.testbed.emplace(std::move(*testbed));
}

Place loopback_place(const PeersOptions& options) {
  Place place{{"loopback", true, options.links},
              wanted(loopback_contestants(task_of(options)), options.only),
              {}};
  if (!place.contestants.empty()) open_loopback(place);
  return place;
}

Place shaped_place(const PeersOptions& options) {
  auto task = task_of(options);
  task.rate = options.rate;
  Place place{{to_text(options.shape), false, options.shape.size(), options.rate.has_value()},
              wanted(shaped_contestants(task), options.only),
              {}};
  if (!place.contestants.empty()) open_namespaces(place, options.shape);
  return place;
}

/// Runs the rounds. Confined (main).
class Contest {
 public:
  Contest(Context& context, std::vector<Place> places, std::size_t rounds)
      : context_(context),
        places_(std::move(places)),
        rounds_(rounds),
        progress_(rounds * turns().size()) {}

  Result<PeersResult> all_rounds() {
    for (auto& place : places_) {
      for (const auto& each : place.contestants)
        place.result.peers.push_back({each.name, each.set_up, {}, each.missing, {}});
    }
    const auto order = turns();
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (std::size_t turn = 0; turn < order.size(); ++turn) {
        // No contestant always follows the same one
        const auto& [place, i] = order[(turn + round) % order.size()];
        progress_.begin_step(fmt::format("round {} of {}, {} over {}", round + 1, rounds_,
                                         place->contestants[i].name, place->result.over));
        SUBMIX_TRY(measure_one(*place, i));
      }
    }
    PeersResult result;
    for (auto& place : places_)
      result.places.push_back(std::move(place.result));
    return result;
  }

 private:
  /// A contestant by its index at its venue.
  using Turn = std::pair<Place*, std::size_t>;

  std::vector<Turn> turns() {
    std::vector<Turn> turns;
    for (auto& place : places_) {
      for (std::size_t i = 0; place.testbed && i < place.contestants.size(); ++i) {
        if (place.contestants[i].missing.empty()) turns.emplace_back(&place, i);
      }
    }
    return turns;
  }

  // A contestant's failure is reported. Only an interruption ends the command.
  Result<void> measure_one(Place& place, std::size_t i) {
    auto& result = place.result.peers[i];
    if (!result.skipped.empty()) return {};
    const auto round = place.contestants[i].measure(*place.testbed, [this] { return look(); });
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
  std::vector<Place> places_;
  const std::size_t rounds_;
  Progress progress_;
};

bool has_failed(const PeerResult& peer) {
  return (peer.faults && !peer.faults->is_none()) ||
         (peer.name.starts_with("submix") && !peer.skipped.empty());
}

}  // namespace

Result<PeersResult> measure_peers(Context& context, const PeersOptions& options) {
  std::vector<Place> places;
  if (options.has_loopback) places.push_back(loopback_place(options));
  if (options.has_namespaces) places.push_back(shaped_place(options));
  std::erase_if(places, [](const Place& place) { return place.contestants.empty(); });
  if (places.empty()) return fail("nobody of that name takes part there; see --only in --help");
  if (places.size() == 1 && !places.front().testbed)
    return fail("{}", places.front().result.skipped);
  return Contest(context, std::move(places), options.rounds).all_rounds();
}

int run_peers(Context& context, const PeersOptions& options) {
  const auto result = measure_peers(context, options);
  if (!result) return failed(context, result.error());
  fmt::print("{}", context.is_json ? to_json(options, *result) + "\n" : to_text(options, *result));
  const bool is_bad =
      std::any_of(result->places.begin(), result->places.end(), [](const auto& place) {
        return place.skipped.empty() &&
               std::any_of(place.peers.begin(), place.peers.end(), has_failed);
      });
  return is_bad ? kFailed : kOk;
}

}  // namespace submix::throughput
