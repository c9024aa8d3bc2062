// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a change asks more of cards and computers than before.
#include "controller/model/plan/planner.hpp"

#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::string_view kAsksNoMore = "asks no more of cards and computers";

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

}  // namespace submix::model
