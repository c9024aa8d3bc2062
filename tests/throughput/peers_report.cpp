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

std::string pace_text(const PeersOptions& options, const PeersVenue& venue) {
  if (!venue.is_paced) return "at full speed";
  return fmt::format("{:.4g} fps", options.rate->frames_per_second());
}

std::string skipped_text(const PeersVenue& venue, const std::string& names,
                         const std::string& why) {
  return fmt::format("Skipped over {}: {}: {}.\n", venue.over, names, why);
}

std::string table_text(const PeersVenue& venue) {
  cli::Table table({"over " + venue.over, ">MB/s", ">frames/s", ">line share", ">over iperf3",
                    ">frames/CPU s", ">CPU over plain", ">latency p50 ms", ">p99 ms",
                    ">transit p50 ms", ">p99 ms", ">submix over it"});
  const auto* own = find_peer(venue, "submix");
  for (const auto& peer : venue.peers) {
    if (!peer.skipped.empty()) continue;
    table.add({peer.name, text_of(median_of(peer, &PeerFigures::goodput_mb_s), 1),
               text_of(median_of(peer, &PeerFigures::frames_per_second), 1),
               text_of(line_share_of(venue, peer), 3),
               text_of(ratio(&peer, find_peer(venue, "iperf3"), &PeerFigures::goodput_mb_s), 2),
               text_of(median_of(peer, &PeerFigures::frames_per_cpu_s), 0),
               text_of(cpu_ratio(peer, find_peer(venue, "plain")), 2),
               text_of(median_of(peer, &PeerFigures::latency_ms_p50), 2),
               text_of(median_of(peer, &PeerFigures::latency_ms_p99), 2),
               text_of(median_of(peer, &PeerFigures::transit_ms_p50), 2),
               text_of(median_of(peer, &PeerFigures::transit_ms_p99), 2),
               text_of(ratio(own, &peer, &PeerFigures::goodput_mb_s), 2)});
  }
  return table.text();
}

std::string complaints_text(const PeersVenue& venue) {
  std::string text;
  for (const auto& peer : venue.peers) {
    if (!peer.skipped.empty()) text += skipped_text(venue, peer.name, peer.skipped);
    if (peer.faults && !peer.faults->is_none()) {
      text += fmt::format("{} over {}: {} frames lost, {} duplicated, {} reordered, {} torn.\n",
                          peer.name, venue.over, peer.faults->lost, peer.faults->duplicated,
                          peer.faults->reordered, peer.faults->torn);
    }
  }
  return text;
}

std::string text_of(const PeersVenue& venue) {
  if (venue.skipped.empty()) return table_text(venue) + complaints_text(venue);
  std::string names;
  for (const auto& peer : venue.peers)
    names += (names.empty() ? "" : ", ") + peer.name;
  return skipped_text(venue, names, venue.skipped);
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

void add_ratios(ordered_json& object, const PeersVenue& venue, const PeerResult& peer) {
  const auto* plain = find_peer(venue, "plain");
  const auto* own = find_peer(venue, "submix");
  add(object, "line_share", line_share_of(venue, peer));
  add(object, "rate_over_plain", ratio(&peer, plain, &PeerFigures::goodput_mb_s));
  add(object, "frames_per_cpu_s_over_plain", ratio(&peer, plain, &PeerFigures::frames_per_cpu_s));
  add(object, "cpu_over_plain", cpu_ratio(peer, plain));
  add(object, "rate_over_iperf3",
      ratio(&peer, find_peer(venue, "iperf3"), &PeerFigures::goodput_mb_s));
  if (own == nullptr) return;
  add(object, "submix_rate_over_it", ratio_of(*own, peer, &PeerFigures::goodput_mb_s));
  add(object, "submix_frames_per_cpu_s_over_it",
      ratio_of(*own, peer, &PeerFigures::frames_per_cpu_s));
  add(object, "submix_transit_p99_over_its", ratio_of(*own, peer, &PeerFigures::transit_ms_p99));
}

ordered_json peer_json(const PeersVenue& venue, const PeerResult& peer) {
  ordered_json object{{"name", peer.name}, {"over", venue.over}};
  const auto& skipped = venue.skipped.empty() ? peer.skipped : venue.skipped;
  if (!skipped.empty()) {
    object["skipped"] = skipped;
    return object;
  }
  object["set_up"] = peer.set_up;
  object.update(figures_json(medians_of(peer)));
  add_ratios(object, venue, peer);
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

ordered_json venue_json(const PeersOptions& options, const PeersVenue& venue) {
  ordered_json object{{"over", venue.over}, {"links", venue.links}};
  object["fps"] =
      venue.is_paced ? ordered_json(options.rate->frames_per_second()) : ordered_json("max");
  if (!venue.skipped.empty()) object["skipped"] = venue.skipped;
  if (!venue.note.empty()) object["note"] = venue.note;
  return object;
}

}  // namespace

std::string to_text(const PeersOptions& options, const PeersResult& result) {
  std::string text;
  std::string paces;
  std::string notes;
  bool has_shaped = false;
  for (const auto& venue : result.venues) {
    text += text_of(venue) + "\n";
    paces += fmt::format("{}over {} {}", paces.empty() ? "" : ", ", venue.over,
                         pace_text(options, venue));
    if (!venue.note.empty()) notes += venue.note + "\n";
    has_shaped = has_shaped || !venue.is_loopback;
  }
  return fmt::format(
      "{}Frames of {}x{}, {}; medians of {} alternating rounds; each ratio is within one round.\n"
      "Line share: goodput relative to what {} by plain TCP. CPU: both programs. Latency: from a\n"
      "frame's offer to its release; at full speed behind {} more of our frames (--credits).\n"
      "Transit: latency without the wait for credit.\n{}",
      text, options.size.width, options.size.height, paces, options.rounds,
      has_shaped ? "the links carry alone (over loopback: one link)" : "one link carries alone",
      options.credits - 1, notes);
}

std::string to_json(const PeersOptions& options, const PeersResult& result) {
  auto venues = ordered_json::array();
  auto peers = ordered_json::array();
  for (const auto& venue : result.venues) {
    venues.push_back(venue_json(options, venue));
    for (const auto& peer : venue.peers)
      peers.push_back(peer_json(venue, peer));
  }
  const ordered_json object{
      {"command", "peers"},
      {"machine", machine_json()},
      {"options",
       {{"size", fmt::format("{}x{}", options.size.width, options.size.height)},
        {"credits", options.credits},
        {"rounds", options.rounds}}},
      {"places", venues},
      {"peers", peers}};
  return object.dump(2);
}

}  // namespace submix::throughput
