// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/table.hpp"
#include "tests/throughput/machine_json.hpp"
#include "tests/throughput/peers_command.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace submix::throughput {
namespace {

using nlohmann::ordered_json;

std::string text_of(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

/// Leaves an unknown value out.
void add(ordered_json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}

/// The ratio of two peers. Empty if one of them is missing.
std::optional<double> ratio(const PeerResult* peer, const PeerResult* to,
                            double PeerFigures::* figure) {
  if (peer == nullptr || to == nullptr) return std::nullopt;
  return ratio_of(*peer, *to, figure);
}

/// CPU seconds for a frame, divided by those of `to`.
std::optional<double> cpu_ratio(const PeerResult& peer, const PeerResult* to) {
  return ratio(to, &peer, &PeerFigures::frames_per_cpu_s);
}

std::string pace_text(const PeersOptions& options, const PeersPlace& place) {
  if (!place.is_paced) return "as fast as it goes";
  return fmt::format("{:.4g} fps", options.rate->frames_per_second());
}

std::string skipped_text(const PeersPlace& place, const std::string& names,
                         const std::string& why) {
  return fmt::format("Skipped over {}: {}: {}.\n", place.over, names, why);
}

std::string table_text(const PeersPlace& place) {
  cli::Table table({"over " + place.over, ">MB/s", ">frames/s", ">line share", ">over iperf3",
                    ">frames/CPU s", ">CPU over plain", ">latency p50 ms", ">p99 ms",
                    ">transit p50 ms", ">p99 ms", ">submix over it"});
  const auto* own = find_peer(place, "submix");
  for (const auto& peer : place.peers) {
    if (!peer.skipped.empty()) continue;
    table.add({peer.name, text_of(median_of(peer, &PeerFigures::goodput_mb_s), 1),
               text_of(median_of(peer, &PeerFigures::frames_per_second), 1),
               text_of(line_share_of(place, peer), 3),
               text_of(ratio(&peer, find_peer(place, "iperf3"), &PeerFigures::goodput_mb_s), 2),
               text_of(median_of(peer, &PeerFigures::frames_per_cpu_s), 0),
               text_of(cpu_ratio(peer, find_peer(place, "plain")), 2),
               text_of(median_of(peer, &PeerFigures::latency_ms_p50), 2),
               text_of(median_of(peer, &PeerFigures::latency_ms_p99), 2),
               text_of(median_of(peer, &PeerFigures::transit_ms_p50), 2),
               text_of(median_of(peer, &PeerFigures::transit_ms_p99), 2),
               text_of(ratio(own, &peer, &PeerFigures::goodput_mb_s), 2)});
  }
  return table.text();
}

std::string complaints_text(const PeersPlace& place) {
  std::string text;
  for (const auto& peer : place.peers) {
    if (!peer.skipped.empty()) text += skipped_text(place, peer.name, peer.skipped);
    if (peer.faults && !peer.faults->is_none()) {
      text += fmt::format("{} over {}: {} frames lost, {} duplicated, {} reordered, {} torn.\n",
                          peer.name, place.over, peer.faults->lost, peer.faults->duplicated,
                          peer.faults->reordered, peer.faults->torn);
    }
  }
  return text;
}

std::string text_of(const PeersPlace& place) {
  if (place.skipped.empty()) return table_text(place) + complaints_text(place);
  std::string names;
  for (const auto& peer : place.peers)
    names += (names.empty() ? "" : ", ") + peer.name;
  return skipped_text(place, names, place.skipped);
}

ordered_json figures_json(const PeerFigures& round) {
  ordered_json object{{"goodput_mb_s", round.goodput_mb_s},
                      {"frames_per_second", round.frames_per_second},
                      {"cpu_s_per_gb_send", round.cpu_s_per_gb_send},
                      {"cpu_s_per_gb_receive", round.cpu_s_per_gb_receive},
                      {"frames_per_cpu_s", round.frames_per_cpu_s},
                      {"faults_per_frame", round.faults_per_frame}};
  add(object, "allocations_per_frame", round.allocations_per_frame);
  add(object, "latency_ms_p50", round.latency_ms_p50);
  add(object, "latency_ms_p99", round.latency_ms_p99);
  add(object, "transit_ms_p50", round.transit_ms_p50);
  add(object, "transit_ms_p99", round.transit_ms_p99);
  return object;
}

PeerFigures medians_of(const PeerResult& peer) {
  PeerFigures middle;
  for (const auto figure : {&PeerFigures::goodput_mb_s, &PeerFigures::frames_per_second,
                            &PeerFigures::cpu_s_per_gb_send, &PeerFigures::cpu_s_per_gb_receive,
                            &PeerFigures::frames_per_cpu_s, &PeerFigures::faults_per_frame})
    middle.*figure = median_of(peer, figure);
  for (const auto figure :
       {&PeerFigures::allocations_per_frame, &PeerFigures::latency_ms_p50,
        &PeerFigures::latency_ms_p99, &PeerFigures::transit_ms_p50, &PeerFigures::transit_ms_p99})
    middle.*figure = median_of(peer, figure);
  return middle;
}

void add_ratios(ordered_json& object, const PeersPlace& place, const PeerResult& peer) {
  const auto* plain = find_peer(place, "plain");
  const auto* own = find_peer(place, "submix");
  add(object, "line_share", line_share_of(place, peer));
  add(object, "rate_over_plain", ratio(&peer, plain, &PeerFigures::goodput_mb_s));
  add(object, "frames_per_cpu_s_over_plain", ratio(&peer, plain, &PeerFigures::frames_per_cpu_s));
  add(object, "cpu_over_plain", cpu_ratio(peer, plain));
  add(object, "rate_over_iperf3",
      ratio(&peer, find_peer(place, "iperf3"), &PeerFigures::goodput_mb_s));
  if (own == nullptr) return;
  add(object, "submix_rate_over_it", ratio_of(*own, peer, &PeerFigures::goodput_mb_s));
  add(object, "submix_frames_per_cpu_s_over_it",
      ratio_of(*own, peer, &PeerFigures::frames_per_cpu_s));
  add(object, "submix_transit_p99_over_its", ratio_of(*own, peer, &PeerFigures::transit_ms_p99));
}

ordered_json peer_json(const PeersPlace& place, const PeerResult& peer) {
  ordered_json object{{"name", peer.name}, {"over", place.over}};
  const auto& skipped = place.skipped.empty() ? peer.skipped : place.skipped;
  if (!skipped.empty()) {
    object["skipped"] = skipped;
    return object;
  }
  object["set_up"] = peer.set_up;
  object.update(figures_json(medians_of(peer)));
  add_ratios(object, place, peer);
  if (peer.faults) {
    object["frames_lost"] = peer.faults->lost;
    object["frames_duplicated"] = peer.faults->duplicated;
    object["frames_reordered"] = peer.faults->reordered;
    object["frames_torn"] = peer.faults->torn;
  }
  auto rounds = ordered_json::array();
  for (const auto& round : peer.rounds)
    rounds.push_back(figures_json(round));
  object["rounds"] = std::move(rounds);
  return object;
}

ordered_json place_json(const PeersOptions& options, const PeersPlace& place) {
  ordered_json object{{"over", place.over}, {"links", place.links}};
  object["fps"] =
      place.is_paced ? ordered_json(options.rate->frames_per_second()) : ordered_json("max");
  if (!place.skipped.empty()) object["skipped"] = place.skipped;
  if (!place.note.empty()) object["note"] = place.note;
  return object;
}

}  // namespace

std::string to_text(const PeersOptions& options, const PeersResult& result) {
  std::string text;
  std::string paces;
  std::string notes;
  bool has_shaped = false;
  for (const auto& place : result.places) {
    text += text_of(place) + "\n";
    paces += fmt::format("{}over {} {}", paces.empty() ? "" : ", ", place.over,
                         pace_text(options, place));
    if (!place.note.empty()) notes += place.note + "\n";
    has_shaped = has_shaped || !place.is_loopback;
  }
  return fmt::format(
      "{}Frames of {}x{}, {}; medians of {} alternating rounds, ratios of each round's.\n"
      "Line share: of what {} by plain TCP. CPU: of both programs. Latency: from a frame's offer\n"
      "to its release, as fast as it goes behind {} more of ours in flight (--credits); transit: "
      "without the "
      "wait\n"
      "for credit.\n{}",
      text, options.size.width, options.size.height, paces, options.rounds,
      has_shaped ? "the links carry alone (over loopback: one link)" : "one link carries alone",
      options.credits - 1, notes);
}

std::string to_json(const PeersOptions& options, const PeersResult& result) {
  auto places = ordered_json::array();
  auto peers = ordered_json::array();
  for (const auto& place : result.places) {
    places.push_back(place_json(options, place));
    for (const auto& peer : place.peers)
      peers.push_back(peer_json(place, peer));
  }
  const ordered_json object{
      {"command", "peers"},
      {"machine", machine_json()},
      {"options",
       {{"size", fmt::format("{}x{}", options.size.width, options.size.height)},
        {"credits", options.credits},
        {"rounds", options.rounds}}},
      {"places", places},
      {"peers", peers}};
  return object.dump(2);
}

}  // namespace submix::throughput
