// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/peers_result.hpp"

#include "tests/throughput/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::throughput {

const PeerResult* find_peer(const PeersVenue& venue, const std::string& name) {
  const auto found = std::find_if(venue.peers.begin(), venue.peers.end(), [&](const auto& peer) {
    return peer.name == name && peer.skipped.empty();
  });
  return found == venue.peers.end() ? nullptr : &*found;
}

double median_of(const PeerResult& peer, double PeerFigures::* figure) {
  std::vector<double> values;
  for (const auto& round : peer.rounds)
    values.push_back(round.*figure);
  return median(std::move(values));
}

std::optional<double> median_of(const PeerResult& peer,
                                std::optional<double> PeerFigures::* figure) {
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

std::optional<double> ratio_of(const PeerResult& peer, const PeerResult& to,
                               std::optional<double> PeerFigures::* figure) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < peer.rounds.size() && i < to.rounds.size(); ++i) {
    if (!(peer.rounds[i].*figure) || !(to.rounds[i].*figure)) return std::nullopt;
    ratios.push_back(*(peer.rounds[i].*figure) / *(to.rounds[i].*figure));
  }
  return median(std::move(ratios));
}

std::string plain_name(std::size_t link) {
  return link == 0 ? "plain" : fmt::format("plain-link-{}", link);
}

std::optional<double> line_share_of(const PeersVenue& venue, const PeerResult& peer) {
  if (venue.is_paced) return std::nullopt;
  std::vector<double> alone(peer.rounds.size());
  for (std::size_t link = 0; link < (venue.is_loopback ? 1 : venue.links); ++link) {
    const auto* plain = find_peer(venue, plain_name(link));
    if (plain == nullptr || plain->rounds.size() != alone.size()) return std::nullopt;
    for (std::size_t round = 0; round < alone.size(); ++round)
      alone[round] += plain->rounds[round].goodput_mb_s;
  }
  std::vector<double> shares;
  for (std::size_t round = 0; round < alone.size(); ++round)
    shares.push_back(peer.rounds[round].goodput_mb_s / alone[round]);
  return median(std::move(shares));
}

}  // namespace submix::throughput
