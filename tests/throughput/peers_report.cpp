// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/table.hpp"
#include "tests/throughput/machine_json.hpp"
#include "tests/throughput/peers_command.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace submix::throughput {
namespace {

using nlohmann::ordered_json;

const PeerResult* find(const PeersResult& result, const char* name) {
  const auto found = std::find_if(result.peers.begin(), result.peers.end(), [&](const auto& peer) {
    return peer.name == name && peer.skipped.empty();
  });
  return found == result.peers.end() ? nullptr : &*found;
}

std::string ratio_text(const PeerResult& peer, const PeerResult* to, double PeerFigures::* figure) {
  return to == nullptr ? "" : fmt::format("{:.2f}", ratio_of(peer, *to, figure));
}

std::string milliseconds_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "";
}

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json ratio_json(const PeerResult& peer, const PeerResult* to, double PeerFigures::* figure) {
  return to == nullptr ? ordered_json() : ordered_json(ratio_of(peer, *to, figure));
}

/// CPU seconds for a frame over those of `to`.
ordered_json cpu_json(const PeerResult& peer, const PeerResult* to) {
  return to == nullptr ? ordered_json()
                       : ordered_json(1 / ratio_of(peer, *to, &PeerFigures::frames_per_cpu_s));
}

std::string cpu_text(const PeerResult& peer, const PeerResult* to) {
  return to == nullptr ? "" : fmt::format("{:.2f}", 1 / ratio_of(peer, *to, &PeerFigures::frames_per_cpu_s));
}

std::string shape_text(const PeersOptions& options) {
  if (options.shape.empty()) return "loopback";
  std::string text;
  for (const auto rate : options.shape)
    text += (text.empty() ? "" : " + ") + to_text(rate);
  return text;
}

ordered_json peer_json(const PeerResult& peer, const PeersResult& result) {
  if (!peer.skipped.empty()) return {{"name", peer.name}, {"skipped", peer.skipped}};
  const auto* plain = find(result, "plain");
  const auto* own = find(result, "submix");
  auto rounds = ordered_json::array();
  for (const auto& round : peer.rounds) {
    rounds.push_back({{"goodput_mb_s", round.goodput_mb_s},
                      {"frames_per_second", round.frames_per_second},
                      {"frames_per_cpu_s", round.frames_per_cpu_s},
                      {"latency_ms_p50", number_or_null(round.latency_ms_p50)},
                      {"latency_ms_p99", number_or_null(round.latency_ms_p99)},
                      {"transit_ms_p50", number_or_null(round.transit_ms_p50)},
                      {"transit_ms_p99", number_or_null(round.transit_ms_p99)}});
  }
  return {{"name", peer.name},
          {"set_up", peer.set_up},
          {"goodput_mb_s", median_of(peer, &PeerFigures::goodput_mb_s)},
          {"frames_per_second", median_of(peer, &PeerFigures::frames_per_second)},
          {"frames_per_cpu_s", median_of(peer, &PeerFigures::frames_per_cpu_s)},
          {"latency_ms_p50", number_or_null(median_of(peer, &PeerFigures::latency_ms_p50))},
          {"latency_ms_p99", number_or_null(median_of(peer, &PeerFigures::latency_ms_p99))},
          {"transit_ms_p50", number_or_null(median_of(peer, &PeerFigures::transit_ms_p50))},
          {"transit_ms_p99", number_or_null(median_of(peer, &PeerFigures::transit_ms_p99))},
          {"rate_over_plain", ratio_json(peer, plain, &PeerFigures::goodput_mb_s)},
          {"frames_per_cpu_s_over_plain", ratio_json(peer, plain, &PeerFigures::frames_per_cpu_s)},
          {"rate_over_iperf3", ratio_json(peer, find(result, "iperf3"), &PeerFigures::goodput_mb_s)},
          {"cpu_over_plain", cpu_json(peer, plain)},
          {"submix_rate_over_it",
           own == nullptr ? ordered_json() : ratio_json(*own, &peer, &PeerFigures::goodput_mb_s)},
          {"submix_frames_per_cpu_s_over_it",
           own == nullptr ? ordered_json() : ratio_json(*own, &peer, &PeerFigures::frames_per_cpu_s)},
          {"frames_lost", peer.faults.lost},
          {"frames_duplicated", peer.faults.duplicated},
          {"frames_reordered", peer.faults.reordered},
          {"frames_torn", peer.faults.torn},
          {"rounds", rounds}};
}

}  // namespace

std::string to_text(const PeersOptions& options, const PeersResult& result) {
  const auto* plain = find(result, "plain");
  const auto* iperf3 = find(result, "iperf3");
  cli::Table table({"by", ">MB/s", ">frames/s", ">over plain", ">over iperf3", ">frames/CPU s",
                    ">CPU over plain", ">latency p50 ms", ">p99 ms", ">transit p50 ms", ">p99 ms"});
  std::string rest;
  for (const auto& peer : result.peers) {
    if (!peer.skipped.empty()) {
      rest += fmt::format("Skipped: {}: {}.\n", peer.name, peer.skipped);
      continue;
    }
    table.add({peer.name, fmt::format("{:.1f}", median_of(peer, &PeerFigures::goodput_mb_s)),
               fmt::format("{:.1f}", median_of(peer, &PeerFigures::frames_per_second)),
               ratio_text(peer, plain, &PeerFigures::goodput_mb_s),
               ratio_text(peer, iperf3, &PeerFigures::goodput_mb_s),
               fmt::format("{:.0f}", median_of(peer, &PeerFigures::frames_per_cpu_s)), cpu_text(peer, plain),
               milliseconds_text(median_of(peer, &PeerFigures::latency_ms_p50)),
               milliseconds_text(median_of(peer, &PeerFigures::latency_ms_p99)),
               milliseconds_text(median_of(peer, &PeerFigures::transit_ms_p50)),
               milliseconds_text(median_of(peer, &PeerFigures::transit_ms_p99))});
    if (!peer.faults.is_none()) {
      rest += fmt::format("{}: {} frames lost, {} duplicated, {} reordered, {} torn.\n", peer.name,
                          peer.faults.lost, peer.faults.duplicated, peer.faults.reordered, peer.faults.torn);
    }
  }
  return fmt::format(
      "{}{}Frames of {}x{} over {}; medians of {} alternating rounds, ratios of each round's.\n"
      "Latency is from a frame's offer to its release, transit the same without the wait for credit.\n{}{}",
      table.text(), rest, options.size.width, options.size.height, shape_text(options), options.rounds,
      result.note, result.note.empty() ? "" : "\n");
}

std::string to_json(const PeersOptions& options, const PeersResult& result) {
  auto peers = ordered_json::array();
  for (const auto& peer : result.peers)
    peers.push_back(peer_json(peer, result));
  const ordered_json object{
      {"command", "peers"},
      {"machine", machine_json()},
      {"options",
       {{"size", fmt::format("{}x{}", options.size.width, options.size.height)},
        {"fps", options.rate ? ordered_json(options.rate->frames_per_second()) : ordered_json("max")},
        {"over", shape_text(options)},
        {"links", options.shape.empty() ? options.links : options.shape.size()},
        {"rounds", options.rounds}}},
      {"note", result.note},
      {"peers", peers}};
  return object.dump(2);
}

}  // namespace submix::throughput
