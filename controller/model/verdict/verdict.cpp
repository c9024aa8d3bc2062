// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/verdict.hpp"

#include "common/show/macros.hpp"
#include "common/show/validate.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/verdict/slow_links.hpp"
#include "controller/model/verdict/standstill.hpp"
#include "controller/model/view/link_cards.hpp"
#include "controller/model/view/machine_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace submix::model {
namespace {

using Kind = Bottleneck::Kind;

constexpr double kHasTimeToSpare = 0.5;  // of a machine's cores

/// A node, and the load of its machine by all programs.
struct SpareNode {
  const NodeView* node = nullptr;
  double cores_used = 0;

  [[nodiscard]] double share() const { return cores_used / node->cores; }
};

// Whether the node has the submix's plugins. A node that has not listed its plugins passes.
bool has_plugins(const ClusterView& view, const std::string& node, const std::string& submix) {
  const auto* list = view.find_plugin_list(node);
  const auto* wish = view.show == nullptr ? nullptr : view.show->find_submix(submix);
  if (list == nullptr || wish == nullptr) return true;
  return std::ranges::all_of(wish->slots, [&](const show::Slot& slot) {
    if (!show::macro_of(slot).empty()) return true;
    const auto found = std::ranges::find(*list, slot.plugin, &cluster::PluginSummary::id);
    return found != list->end() && found->refused_because.empty();
  });
}

// The node on the idlest machine with enough spare time for one more submix; not on the machine of
// `present` (null: it is not known). The machine's load counts, because other nodes and programs
// may use it.
std::optional<SpareNode> spare_node(const ClusterView& view, const NodeView* present,
                                    const std::string& submix) {
  std::optional<SpareNode> best;
  for (const auto& node : view.nodes) {
    if (node.health != Health::healthy || node.cores == 0) continue;
    if (present != nullptr && are_on_one_machine(node, *present)) continue;
    if (!has_plugins(view, node.name, submix)) continue;
    const SpareNode candidate{&node, machine_use(view, node).all_cores};
    if (candidate.share() > kHasTimeToSpare) continue;
    if (!best || candidate.share() < best->share()) best = candidate;
  }
  return best;
}

std::optional<Remedy> move_to_a_spare_node(const ClusterView& view, const std::string& submix) {
  const auto* described = view.find_submix(submix);
  const auto* present = described == nullptr ? nullptr : view.find_node(described->node);
  const auto spare = spare_node(view, present, submix);
  if (!spare) return std::nullopt;
  const auto& node = *spare->node;
  return Remedy{fmt::format("let node \"{}\" run \"{}\": its machine uses {:.1f} of {} cores",
                            node.name, submix, spare->cores_used, node.cores),
                AssignSubmix{submix, node.name}};
}

// A filter may be bypassed. A source or an output may not: its picture or file would be missing.
bool can_be_missed(const SubmixView& submix, const StageView& stage) {
  const bool is_sink = submix.is_output(stage.slot) || stage.plugin == show::kStreamOutPlugin;
  return !stage.queues.empty() && !is_sink;
}

// Whether a node would allow helpers: sources and outputs run once.
bool bears_helpers(const StageView& stage, const cluster::PluginSummary& plugin) {
  const bool is_one_only =
      plugin.kind == "source" || plugin.kind == "output" || stage.queues.empty();
  return plugin.memory == "none" && !is_one_only;
}

std::optional<Remedy> for_slot(const ClusterView& view, const Bottleneck& bottleneck) {
  const show::Port port{bottleneck.submix, bottleneck.slot};
  const auto* slot = view.show == nullptr ? nullptr : view.show->find_slot(port);
  const auto* plugin = slot == nullptr ? nullptr : view.find_plugin(slot->plugin);
  const auto* submix = view.find_submix(bottleneck.submix);
  const auto* stage = submix == nullptr ? nullptr : submix->find_stage(bottleneck.slot);
  const bool has_cores = !is_full(view, bottleneck.node);
  if (has_cores && stage != nullptr && plugin != nullptr && bears_helpers(*stage, *plugin)) {
    const double frame_ms = bottleneck.wanted_fps > 0 ? 1e3 / bottleneck.wanted_fps : 0;
    const int wanted =
        frame_ms > 0 ? static_cast<int>(std::ceil(bottleneck.frame_ms / frame_ms)) : 2;
    const auto* node = view.find_node(bottleneck.node);
    const int cores = node == nullptr ? 1 : node->cores;
    const int helpers = std::min({wanted, cores, show::kHelpersMax});
    if (helpers > static_cast<int>(stage->helpers)) {
      return Remedy{
          fmt::format(
              "let {} instances share its frames: its plugin keeps nothing of former frames",
              helpers),
          SetHelpers{port, helpers}};
    }
  }
  // One thread computes the slot, so another computer would be as slow, unless this computer is
  // overloaded.
  if (!has_cores) {
    if (auto moved = move_to_a_spare_node(view, bottleneck.submix)) return moved;
  }
  if (slot == nullptr || slot->is_bypassed) return std::nullopt;
  if (stage == nullptr || !can_be_missed(*submix, *stage)) {
    return Remedy{"lower the show's size or rate, or take other work off its computer",
                  std::nullopt};
  }
  return Remedy{"bypass it, until it has less to do", SetBypass{port, true}};
}

const LinkView* warned_link(const std::vector<LinkView>& links) {
  const auto found =
      std::ranges::find_if(links, [](const LinkView& link) { return !link.warning.empty(); });
  return found == links.end() ? nullptr : &*found;
}

// A bad cable must be repaired; one more link would only hide it.
std::optional<Remedy> slow_link_remedy(const ClusterView& view, const StreamView& stream) {
  std::optional<SlowLink> slowest;
  std::string to;
  for (const auto& link : stream.links()) {
    const auto slow = slowness_of(view, stream, link);
    if (!slow || (slowest && slowest->mb_per_second <= slow->mb_per_second)) continue;
    slowest = slow;
    to = name_of(cards_of(view, stream, link).to);
  }
  if (!slowest) return std::nullopt;
  return Remedy{fmt::format("{}: check its plug, its cable and its port of the switch{}",
                            slowest->sentence, to.empty() ? "" : ", up to " + to),
                std::nullopt};
}

// Where a person has chosen each link's cards, only a person knows the next link's cards.
std::optional<Edit> one_link_more(const ClusterView& view, const std::string& name, int count) {
  const auto* stream = view.show == nullptr ? nullptr : view.show->find_stream(name);
  if (stream != nullptr && !stream->routes.empty()) return std::nullopt;
  return SetLinks{name, count};
}

std::optional<Remedy> for_link(const ClusterView& view, const Bottleneck& bottleneck) {
  const auto* stream = view.find_stream(bottleneck.stream);
  if (stream == nullptr) return std::nullopt;
  const auto& links = stream->links();
  if (const auto slow = slow_link_remedy(view, *stream)) return slow;
  if (const auto* link = warned_link(links))
    return Remedy{fmt::format("link {} says: {}", link->index, link->warning), std::nullopt};
  const auto closed = std::ranges::find_if_not(links, &LinkView::is_open);
  if (closed != links.end())
    return Remedy{
        fmt::format("look after the cable or card of link {} ({} to {}); it joins again by itself",
                    closed->index, closed->local, closed->remote),
        std::nullopt};
  if (const auto spare = spare_cards(view, *stream); spare && links.size() < show::kLinksMax) {
    const int count = static_cast<int>(links.size()) + 1;
    return Remedy{fmt::format("give it {} links: {} and {} carry none yet", count,
                              name_of(spare->from), name_of(spare->to)),
                  one_link_more(view, stream->name, count)};
  }
  if (const auto shared = sharing_of(view, *stream); !shared.empty()) {
    return Remedy{
        fmt::format(
            "{}: give one of them a card of its own at both ends, or lower the show's size or "
            "rate",
            shared),
        std::nullopt};
  }
  return Remedy{
      "its cards carry no more: give both ends another card, or lower the show's size or rate",
      std::nullopt};
}

std::optional<Remedy> for_machine(const ClusterView& view, const Bottleneck& bottleneck) {
  for (const auto& submix : view.submixes) {
    if (submix.node != bottleneck.node || submix.is_final) continue;
    if (auto moved = move_to_a_spare_node(view, submix.name)) return moved;
  }
  return Remedy{"take work off this machine: end other programs on it, or give it fewer submixes",
                std::nullopt};
}

std::string sender_of(const ClusterView& view, const std::string& stream) {
  const auto* found = view.find_stream(stream);
  return found == nullptr ? std::string() : found->from.submix;
}

// A remedy for the performer of the first held input.
std::optional<Remedy> for_held(const ClusterView& view, const Bottleneck& bottleneck) {
  if (bottleneck.held.empty()) return std::nullopt;
  const auto* stream = view.find_stream(bottleneck.held.front().stream);
  if (stream == nullptr) return std::nullopt;
  const auto limit = limit_of(view, *stream);
  return limit.is_slow() ? remedy_of(view, limit) : std::nullopt;
}

std::string headline_of(const std::vector<HeldInput>& held) {
  if (held.size() == 1 && held.front().is_away)
    return held.front().stream + " is gone; its input goes on without";
  if (held.size() == 1) return held.front().stream + " cannot keep up";
  const bool is_one_absence = std::ranges::all_of(
      held, [&](const HeldInput& each) { return each.is_away && each.node == held.front().node; });
  if (is_one_absence)
    return fmt::format("{} is gone; {} inputs go on without", held.front().node, held.size());
  if (std::ranges::all_of(held, &HeldInput::is_away))
    return fmt::format("{} performers are gone; their inputs go on without", held.size());
  return fmt::format("{} performers cannot keep up", held.size());
}

}  // namespace

std::string culprit_of(const Bottleneck& bottleneck) {
  switch (bottleneck.kind) {
    case Kind::slot:
      return fmt::format("slot {}.{}", bottleneck.submix, bottleneck.slot);
    case Kind::link:
      return bottleneck.link ? fmt::format("link {} of {}", *bottleneck.link, bottleneck.stream)
                             : "the links of " + bottleneck.stream;
    case Kind::delay:
      return "stream " + bottleneck.stream;
    case Kind::machine:
      return "the machine of node " + bottleneck.node;
    case Kind::unknown:
    case Kind::nothing:
    case Kind::paused:
    case Kind::standstill:
      break;
  }
  return {};
}

std::string headline_of(const Bottleneck& bottleneck) {
  switch (bottleneck.kind) {
    case Kind::unknown:
      return "what holds the show back is not known";
    case Kind::nothing:
      return bottleneck.held.empty() ? "nothing holds the show back" : headline_of(bottleneck.held);
    case Kind::paused:
      return bottleneck.sentence;
    case Kind::standstill:
      if (bottleneck.outputs_still == 0 || bottleneck.outputs_still == bottleneck.outputs)
        return "the show stands still";
      return fmt::format("{} of {} outputs stand still", bottleneck.outputs_still,
                         bottleneck.outputs);
    case Kind::slot:
      return fmt::format("{} of {} takes {:.1f} of {:.1f} ms", bottleneck.slot, bottleneck.submix,
                         bottleneck.frame_ms,
                         bottleneck.wanted_fps > 0 ? 1e3 / bottleneck.wanted_fps : 0);
    case Kind::link:
      return fmt::format("{}: {:.1f} of {:.1f} MB/s", culprit_of(bottleneck),
                         bottleneck.mb_per_second, bottleneck.mb_per_second_needed);
    case Kind::delay:
      return culprit_of(bottleneck) + ": frames are long on their way";
    case Kind::machine:
      return fmt::format("the PC of {} has no time left", bottleneck.node);
  }
  return {};
}

bool is_beginning(const ClusterView& view, const Bottleneck& bottleneck) {
  if (!bottleneck.is_behind || bottleneck.still_for >= kSettlingMax) return false;
  const auto is_new = [&](const SubmixView& submix) {
    const auto* node = view.find_healthy_node(submix.node);
    return node != nullptr && node->uptime < 2 * kSettlingMax;
  };
  return is_settling(view) || std::ranges::any_of(view.submixes, is_new);
}

std::optional<Remedy> remedy_of(const ClusterView& view, const Bottleneck& bottleneck) {
  switch (bottleneck.kind) {
    case Kind::slot:
      return for_slot(view, bottleneck);
    case Kind::link:
      return for_link(view, bottleneck);
    case Kind::delay:
      return Remedy{
          fmt::format(
              "let more frames be on their way: a greater frames_in_flight of submix \"{}\"",
              sender_of(view, bottleneck.stream)),
          std::nullopt};
    case Kind::machine:
      return for_machine(view, bottleneck);
    case Kind::paused:
      return Remedy{"let it run on", std::nullopt};
    case Kind::nothing:
      return for_held(view, bottleneck);
    case Kind::unknown:
    case Kind::standstill:  // its sentences contain the remedy
      break;
  }
  return std::nullopt;
}

}  // namespace submix::model
