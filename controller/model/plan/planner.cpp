// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/planner.hpp"

#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "controller/model/plan/plan_cards.hpp"
#include "controller/model/plan/plan_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace submix::model {
namespace {

constexpr double kLittleLeft = 0.9;  // of a card's, link's or computer's capacity
constexpr double kRoundingError = 1e-6;

/// A stream's end on a node.
struct StreamEnd {
  std::set<std::string> cards;
  double needs = 0;
};

/// A node's stream ends of one direction.
struct NodeEnds {
  std::vector<StreamEnd> ends;
  std::map<std::string, std::optional<double>> card_has;
};

/// A card's streams, by direction.
struct CardUse {
  CardPlan plan;
  bool has_only_own = true;  // no stream on it has another card to use
};

class Planner {
 public:
  Planner(const ClusterView& view, const show::Show& wanted)
      : view_(view), show_(wanted), costs_(view, wanted) {}

  Plan run() {
    for (const auto& stream : show_.streams)
      add_stream(stream);
    judge_cards();
    judge_cards_together();
    for (const auto& submix : show_.submixes)
      judge_slots(submix);
    judge_machines();
    std::ranges::stable_sort(plan_.findings, std::greater<>(), &Finding::outlook);
    if (!plan_.findings.empty()) plan_.outlook = plan_.findings.front().outlook;
    return std::move(plan_);
  }

 private:
  void find(Outlook outlook, std::string about, std::string text, double share = 0) {
    plan_.findings.push_back({outlook, std::move(text), std::move(about), share});
  }

  const NodeView* node_of(const std::string& submix_name) const {
    const auto* submix = show_.find_submix(submix_name);
    return submix == nullptr || submix->node.empty() ? nullptr : view_.find_node(submix->node);
  }

  void add_stream(const show::Stream& stream) {
    auto& plan = plan_.streams.emplace_back(
        StreamPlan{stream.name, show::mb_per_second(show_, stream), {}, false});
    const auto* from = node_of(stream.from.submix);
    const auto* to = node_of(stream.to.submix);
    if (from == nullptr || to == nullptr) return;
    auto links = planned_links(view_, stream, *from, *to);
    std::erase_if(links, [&](const PlannedLink& link) {
      return facts_of(*from, link.from.address).is_loopback;
    });
    plan.is_on_cards = !links.empty();
    if (links.empty()) return;
    judge_stream(plan, links, *from, *to);
    share_out(plan.needs, links, *from, *to);
    for (const bool is_out : {true, false}) {
      auto& node_ends = ends_[{is_out ? from->name : to->name, is_out}];
      StreamEnd end{{}, plan.needs};
      for (const auto& link : links) {
        const auto facts =
            is_out ? facts_of(*from, link.from.address) : facts_of(*to, link.to.address);
        end.cards.insert(facts.name);
        node_ends.card_has[facts.name] = facts.has;
      }
      node_ends.ends.push_back(std::move(end));
    }
  }

  void judge_stream(StreamPlan& plan, const std::vector<PlannedLink>& links, const NodeView& from,
                    const NodeView& to) {
    const auto of_cards = card_limit(links, from, to);
    const auto measured = measured_limit(links);
    plan.has = of_cards && measured ? std::min(*of_cards, *measured)
               : of_cards           ? of_cards
                                    : measured;
    const auto about = "stream " + plan.name;
    const auto way = fmt::format("{}-{}", from.name, to.name);
    const auto text = [&](double has, std::string_view verb) {
      return fmt::format("stream \"{}\" needs {:.0f} MB/s, {} {} {:.0f}", plan.name, plan.needs,
                         way, verb, has);
    };
    if (of_cards && plan.needs > *of_cards)
      return find(Outlook::refused, about, text(*of_cards, "has"), plan.needs / *of_cards);
    if (measured && plan.needs > *measured)
      return find(Outlook::warning, about, text(*measured, "was measured to carry"),
                  plan.needs / *measured);
    if (!plan.has) {
      return find(
          Outlook::unknown, about,
          fmt::format(
              "stream \"{}\" needs {:.0f} MB/s; what {} has is not known: no card says its speed, "
              "and its links were never busy",
              plan.name, plan.needs, way));
    }
    if (plan.needs > kLittleLeft * *plan.has)
      find(Outlook::warning, about, text(*plan.has, "has") + ": little is left",
           plan.needs / *plan.has);
  }

  // The capacity of both ends' cards, each counted once. Empty: an end does not report a speed.
  static std::optional<double> card_limit(const std::vector<PlannedLink>& links,
                                          const NodeView& from, const NodeView& to) {
    std::map<std::string, double> out;
    std::map<std::string, double> in;
    for (const auto& link : links) {
      const auto near = facts_of(from, link.from.address);
      const auto far = facts_of(to, link.to.address);
      if (!near.has || !far.has) return std::nullopt;
      out[near.name] = *near.has;
      in[far.name] = *far.has;
    }
    double has_out = 0;
    double has_in = 0;
    for (const auto& [name, has] : out)
      has_out += has;
    for (const auto& [name, has] : in)
      has_in += has;
    return std::min(has_out, has_in);
  }

  static std::optional<double> measured_limit(const std::vector<PlannedLink>& links) {
    double sum = 0;
    for (const auto& link : links) {
      if (!link.measured) return std::nullopt;
      sum += *link.measured;
    }
    return sum;
  }

  // Each link gets a part of the stream, in proportion to its cards' capacity.
  void share_out(double needs, const std::vector<PlannedLink>& links, const NodeView& from,
                 const NodeView& to) {
    std::vector<double> weights;
    for (const auto& link : links) {
      const auto near = facts_of(from, link.from.address).has;
      const auto far = facts_of(to, link.to.address).has;
      weights.push_back(near && far ? std::min(*near, *far) : 0);
    }
    if (std::ranges::any_of(weights, [](double weight) { return weight <= 0; }))
      std::ranges::fill(weights, 1.0);
    double sum = 0;
    for (const double weight : weights)
      sum += weight;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double part = needs * weights[i] / sum;
      add_to_card(from, links[i].from.address, links.size()).out += part;
      add_to_card(to, links[i].to.address, links.size()).in += part;
    }
  }

  CardPlan& add_to_card(const NodeView& node, const std::string& address, std::size_t links) {
    const auto facts = facts_of(node, address);
    auto& use = cards_[{node.name, facts.name}];
    use.plan.node = node.name;
    use.plan.name = facts.name;
    use.plan.has = facts.has;
    use.has_only_own = use.has_only_own && links == 1;
    return use.plan;
  }

  void judge_cards() {
    for (const auto& [key, use] : cards_) {
      const auto& card = use.plan;
      plan_.cards.push_back(card);
      const double most = std::max(card.in, card.out);
      if (!card.has || most <= kLittleLeft * *card.has) continue;
      const bool is_over = most > *card.has + kRoundingError;
      const auto outlook = is_over && use.has_only_own ? Outlook::refused : Outlook::warning;
      find(outlook, fmt::format("card {} of {}", card.name, card.node),
           fmt::format("card {} of {} would {} {:.0f} of {:.0f} MB/s", card.name, card.node,
                       card.out >= card.in ? "send" : "receive", most, *card.has),
           most / *card.has);
    }
  }

  // Sharing cannot help where several streams need more than all the cards that they may use.
  void judge_cards_together() {
    for (const auto& [key, node] : ends_) {
      std::set<std::string> all;
      for (const auto& end : node.ends)
        all.insert(end.cards.begin(), end.cards.end());
      std::set<std::set<std::string>> groups{all};
      for (const auto& end : node.ends)
        groups.insert(end.cards);
      for (const auto& cards : groups)
        judge_group(key, node, cards);
    }
  }

  void judge_group(const std::pair<std::string, bool>& key, const NodeEnds& node,
                   const std::set<std::string>& cards) {
    double needs = 0;
    int streams = 0;
    for (const auto& end : node.ends) {
      if (!std::ranges::includes(cards, end.cards)) continue;
      needs += end.needs;
      ++streams;
    }
    double has = 0;
    for (const auto& card : cards) {
      const auto& card_has = node.card_has.at(card);
      if (!card_has) return;
      has += *card_has;
    }
    if (streams < 2 || cards.size() < 2 || needs <= has + kRoundingError) return;
    const auto& [name, is_out] = key;
    find(Outlook::refused, fmt::format("cards {} of {}", fmt::join(cards, ", "), name),
         fmt::format("cards {} of {} would {} {:.0f} of {:.0f} MB/s", fmt::join(cards, " and "),
                     name, is_out ? "send" : "receive", needs, has),
         needs / has);
  }

  void judge_slots(const show::Submix& submix) {
    if (submix.node.empty()) return;
    const double frame_ms = 1e3 / show_.rate.frames_per_second();
    for (const auto& slot : submix.slots) {
      const auto cost = costs_.of(submix, slot);
      const auto name = fmt::format("{}.{}", submix.name, slot.name);
      const double has_ms = frame_ms * slot.helpers;
      plan_.slots.push_back({name, {}, has_ms, cost && cost->is_guess});
      if (cost) plan_.slots.back().ms = cost->slowest_ms;
      if (!cost) {
        find(Outlook::unknown, "slot " + name,
             fmt::format("what slot \"{}\" ({}) takes is not known: it has not run yet", name,
                         slot.plugin));
        continue;
      }
      if (cost->slowest_ms <= has_ms) continue;
      find(cost->is_guess ? Outlook::warning : Outlook::refused, "slot " + name,
           fmt::format(
               "slot \"{}\" {} {:.1f} of {:.1f} ms{}", name, cost->is_guess ? "may take" : "takes",
               cost->slowest_ms, has_ms,
               slot.helpers > 1 ? fmt::format(" that its {} helpers have", slot.helpers) : ""),
           cost->slowest_ms / has_ms);
    }
  }

  void judge_machines() {
    for (const auto& machine : costs_.machines()) {
      plan_.machines.push_back(machine);
      const auto about = "machine " + machine.name;
      if (machine.cores == 0) {
        find(Outlook::unknown, about,
             fmt::format("node {} is not here: what it can do is not known", machine.name));
        continue;
      }
      if (machine.load <= kLittleLeft * machine.cores) continue;
      const bool is_over = machine.load > machine.cores + kRoundingError;
      find(is_over && !machine.is_guess ? Outlook::refused : Outlook::warning, about,
           fmt::format("{} would need {:.1f} of {} cores", machine.name, machine.load,
                       machine.cores),
           machine.load / machine.cores);
    }
  }

  const ClusterView& view_;
  const show::Show& show_;
  PlanCosts costs_;
  std::map<std::pair<std::string, std::string>, CardUse> cards_;  // by node and name
  std::map<std::pair<std::string, bool>, NodeEnds> ends_;         // by node, and whether they send
  Plan plan_;
};

}  // namespace

const StreamPlan* Plan::find_stream(std::string_view name) const {
  const auto found = std::ranges::find(streams, name, &StreamPlan::name);
  return found == streams.end() ? nullptr : &*found;
}

Plan plan_show(const ClusterView& view, const show::Show& wanted) {
  return Planner(view, wanted).run();
}

std::string_view to_string(Outlook outlook) {
  static constexpr std::array<std::string_view, 4> kNames{"fine", "unknown", "warning", "refused"};
  return kNames.at(static_cast<std::size_t>(outlook));
}

}  // namespace submix::model
