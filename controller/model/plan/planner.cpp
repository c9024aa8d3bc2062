// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/planner.hpp"

#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
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
constexpr std::string_view kAsksNoMore = "asks no more of cards and computers";

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

template <typename Items>
std::string place_in(const Items& items, std::string_view name) {
  return std::to_string(show::find_named(items, name) - items.begin());
}

template <typename Items>
void name_by_place(Items& items) {
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i].name = std::to_string(i);
}

// Replaces names by positions, wherever a Planner reads a name: a rename changes no load.
void name_all_by_place(show::Show& show) {
  for (auto& stream : show.streams) {
    for (auto* port : {&stream.from, &stream.to}) {
      if (const auto* submix = show.find_submix(port->submix))
        port->slot = place_in(submix->slots, port->slot);
      port->submix = place_in(show.submixes, port->submix);
    }
  }
  if (!show.output_chain.empty()) show.output_chain = place_in(show.submixes, show.output_chain);
  for (auto& submix : show.submixes) {
    for (auto& slot : submix.slots) {
      if (const auto macro = show::macro_of(slot); !macro.empty())
        slot.plugin = std::string(show::kMacroPrefix) + place_in(show.submixes, macro);
    }
    name_by_place(submix.slots);
  }
  name_by_place(show.submixes);
  name_by_place(show.streams);
}

// The show without everything that asks nothing of cards and computers.
show::Show demands_of(show::Show show) {
  show.name.clear();
  show.tempo = {};
  show.nodes.clear();
  show.knobs.clear();
  show.presets.clear();
  show.cues.clear();
  show.next_cue.clear();
  show.following.reset();
  for (auto& submix : show.submixes) {
    submix.frames_in_flight = 0;
    for (auto& slot : submix.slots) {
      slot.parameters.clear();
      slot.oscillators.clear();
      slot.fades.clear();
      slot.inputs.reset();
    }
  }
  for (auto& stream : show.streams) {
    stream.policy = {};
    stream.pause_budget = {};
    stream.checksum = {};
    stream.is_encrypted = {};
  }
  name_all_by_place(show);
  return show;
}

// Whether the finding was as bad or worse before: a change that relieves an overload is not
// refused.
bool was_there(const Plan& before, const Finding& finding) {
  return std::ranges::any_of(before.findings, [&](const Finding& former) {
    const bool is_same = former.share == 0 || finding.share == 0
                             ? former == finding
                             : former.about == finding.about && former.share >= finding.share;
    return is_same && former.outlook >= finding.outlook;
  });
}

bool asks_less(const show::Submix& before, const show::Submix& after) {
  if (!after.node.empty() && after.node != before.node) return false;
  return std::ranges::all_of(after.slots, [&](const show::Slot& slot) {
    const auto former = show::find_named(before.slots, slot.name);
    if (former == before.slots.end() || former->plugin != slot.plugin) return false;
    return former->helpers == slot.helpers && (slot.is_bypassed || !former->is_bypassed);
  });
}

bool asks_less(const show::Stream& before, const show::Stream& after) {
  return after.from == before.from && after.to == before.to && after.routes == before.routes &&
         after.link_count == before.link_count &&
         after.is_local_allowed == before.is_local_allowed &&
         bytes_per_pixel(after.pixels) <= bytes_per_pixel(before.pixels);
}

// Whether `after` asks nothing new, and nothing more often or in a larger size.
bool asks_less(const show::Show& before, const show::Show& after) {
  const bool is_smaller = after.size.pixels() <= before.size.pixels() &&
                          after.rate.frames_per_second() <= before.rate.frames_per_second();
  const auto has_less = [](const auto& former_items, const auto& items) {
    return std::ranges::all_of(items, [&](const auto& item) {
      const auto former = show::find_named(former_items, item.name);
      return former != former_items.end() && asks_less(*former, item);
    });
  };
  return is_smaller && (after.output_chain.empty() || after.output_chain == before.output_chain) &&
         has_less(before.submixes, after.submixes) && has_less(before.streams, after.streams);
}

// Whether a show that has run asked for all of `wanted`. A measurement counts more than a
// prediction.
bool is_proven(const ClusterView& view, const show::Show& wanted) {
  const auto asks_no_more = [&](const std::shared_ptr<const show::Show>& ran) {
    return ran != nullptr && (demands_of(*ran) == demands_of(wanted) || asks_less(*ran, wanted));
  };
  if (asks_no_more(view.good_show)) return true;
  return view.proven_shows != nullptr && std::ranges::any_of(*view.proven_shows, asks_no_more);
}

// "left, mix: 2.1 of 4 cores; stream left: 83 of 118 MB/s".
std::string asked(const Plan& before, const Plan& after) {
  std::vector<std::string> parts;
  for (const auto& machine : after.machines) {
    const auto former = std::ranges::find(before.machines, machine.name, &MachinePlan::name);
    const bool is_same = former != before.machines.end() && former->load == machine.load;
    if (!is_same && machine.cores > 0)
      parts.push_back(
          fmt::format("{}: {:.1f} of {} cores", machine.name, machine.load, machine.cores));
  }
  for (const auto& stream : after.streams) {
    const auto* former = before.find_stream(stream.name);
    const bool is_same =
        former != nullptr && former->needs == stream.needs && former->has == stream.has;
    if (!is_same && stream.has)
      parts.push_back(
          fmt::format("stream {}: {:.0f} of {:.0f} MB/s", stream.name, stream.needs, *stream.has));
  }
  return parts.empty() ? std::string(kAsksNoMore) : fmt::format("{}", fmt::join(parts, "; "));
}

// A plan never refuses the way back to a smaller or a proven show.
bool is_way_back(const ClusterView& view, const show::Show& wanted) {
  return (view.show != nullptr && asks_less(*view.show, wanted)) || is_proven(view, wanted);
}

void refuse_nothing(ChangePlan& change) {
  for (auto& finding : change.findings)
    finding.outlook = std::min(finding.outlook, Outlook::warning);
  std::ranges::stable_sort(change.findings, std::greater<>(), &Finding::outlook);
}

// The outlook and the sentence of a change with findings.
void conclude(ChangePlan& change) {
  const auto& worst = change.findings.front();
  change.outlook = worst.outlook;
  change.sentence = worst.text;
  if (change.findings.size() > 1)
    change.sentence += fmt::format("; and {} more", change.findings.size() - 1);
}

}  // namespace

const StreamPlan* Plan::find_stream(std::string_view name) const {
  const auto found = std::ranges::find(streams, name, &StreamPlan::name);
  return found == streams.end() ? nullptr : &*found;
}

Plan plan_show(const ClusterView& view, const show::Show& wanted) {
  return Planner(view, wanted).run();
}

Result<ChangePlan> plan_change(const ClusterView& view, const Edit& edit) {
  auto wanted = view.show == nullptr ? show::Show() : *view.show;
  SUBMIX_TRY(apply(wanted, edit));
  if (const auto problems = show::validate(wanted); !problems.empty())
    return fail("{}", problems.front().text);
  if (view.show != nullptr && demands_of(*view.show) == demands_of(wanted))
    return ChangePlan{plan_show(view, wanted), {}, Outlook::fine, std::string(kAsksNoMore)};

  const auto before = view.show == nullptr ? Plan() : plan_show(view, *view.show);
  ChangePlan change{plan_show(view, wanted), {}, Outlook::fine, {}};
  for (const auto& finding : change.plan.findings) {
    if (!was_there(before, finding)) change.findings.push_back(finding);
  }
  if (is_way_back(view, wanted)) refuse_nothing(change);

  if (change.findings.empty())
    change.sentence = asked(before, change.plan);
  else
    conclude(change);
  return change;
}

bool may_ask_more(const show::Show& before, const show::Show& after) {
  auto former = demands_of(before);
  const auto demands = demands_of(after);
  for (const auto& submix : demands.submixes) {
    for (const auto& slot : submix.slots) {
      auto* same = former.find_slot({submix.name, slot.name});
      if (same != nullptr) same->is_bypassed = same->is_bypassed || slot.is_bypassed;
    }
  }
  return former != demands;
}

std::string_view to_string(Outlook outlook) {
  static constexpr std::array<std::string_view, 4> kNames{"fine", "unknown", "warning", "refused"};
  return kNames.at(static_cast<std::size_t>(outlook));
}

}  // namespace submix::model
