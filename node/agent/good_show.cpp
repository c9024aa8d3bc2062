// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/good_show.hpp"

#include "common/show/macros.hpp"
#include "common/show/parse.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

void GoodShow::follow(const show::Show& show, std::uint64_t revision) {
  show_ = show;
  revision_ = revision;
}

void GoodShow::hear(const cluster::NodeReport& report) {
  auto& reported = reports_[report.node];
  reported = {report.show_revision, {}};
  for (const auto& submix : report.submixes) {
    const bool is_running =
        submix.state == cluster::SubmixState::running && !submix.awaits_first_frame;
    reported.submixes[submix.name] = is_running && submix.error.empty() && !submix.has_trouble;
  }
}

// Submixes used as macros in other submixes run on no node of their own.
GoodShow::Rating GoodShow::rating_of(const std::string& node) const {
  const auto reported = reports_.find(node);
  if (reported == reports_.end() || reported->second.revision < revision_) return Rating::unknown;
  const auto expanded = show::expand(show_);
  const bool is_good = std::ranges::all_of(expanded.submixes, [&](const show::Submix& submix) {
    if (submix.node != node) return true;
    const auto known = reported->second.submixes.find(submix.name);
    return known != reported->second.submixes.end() && known->second;
  });
  return is_good ? Rating::good : Rating::bad;
}

GoodShow::Rating GoodShow::rating_of_all() const {
  auto rating = Rating::good;
  for (const auto& submix : show_.submixes) {
    const auto own = submix.node.empty() ? Rating::good : rating_of(submix.node);
    if (own == Rating::bad) return own;
    if (own == Rating::unknown) rating = own;
  }
  return rating;
}

bool GoodShow::is_witness() const {
  const auto first =
      std::ranges::find_if(show_.submixes, [](const auto& submix) { return !submix.node.empty(); });
  return first != show_.submixes.end() && first->node == node_;
}

// While a fader moves, no node has reported the newest revision yet. Such a revision neither proves
// nor disproves a candidate.
std::optional<std::string> GoodShow::take(Shelf& shelf, Rating rating, LocalTime now) const {
  if (rating == Rating::bad) shelf.candidate.reset();
  if (rating != Rating::good) return std::nullopt;
  if (!shelf.candidate) {
    if (shelf.given != revision_) shelf.candidate = Candidate{show::to_toml(show_), revision_, now};
    return std::nullopt;
  }
  if (now - shelf.candidate->since < kPeriod) return std::nullopt;
  shelf.given = shelf.candidate->revision;
  auto text = std::move(shelf.candidate->text);
  shelf.candidate.reset();
  return text;
}

std::optional<std::string> GoodShow::take_for_disk(LocalTime now) {
  if (revision_ == 0) return std::nullopt;
  return take(disk_, rating_of(node_), now);
}

std::optional<std::string> GoodShow::take_for_cluster(LocalTime now) {
  if (revision_ == 0 || !is_witness()) return std::nullopt;
  return take(cluster_, rating_of_all(), now);
}

}  // namespace submix::agent
