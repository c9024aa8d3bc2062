// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/graph.hpp"

#include "common/show/circles.hpp"
#include "common/show/nearest.hpp"
#include "common/show/plugin_form.hpp"
#include "node/engine/reorder_buffer.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace submix::engine {
namespace {

constexpr std::string_view kHelpersRemedy =
    "take \"helpers\" out, or write stateless = true if you know that it keeps nothing";

// Builds a graph and collects all faults.
class Planner {
 public:
  Planner(const show::Submix& submix, const plugin::Catalog& catalog)
      : submix_(submix), catalog_(catalog) {
    for (const auto& slot : submix_.slots)
      names_.push_back(slot.name);
  }

  tl::expected<Graph, SlotFaults> run() {
    if (submix_.slots.empty()) {
      complain(fmt::format("submix \"{}\" has no slots; give it at least a source", submix_.name));
      return tl::unexpected(std::move(faults_));
    }
    graph_.slots.resize(submix_.slots.size());
    look_at_plugins();
    for (std::size_t i = 0; i < submix_.slots.size(); ++i)
      plan_slot(i);
    if (const auto circle = find_circle(); !circle.empty()) {
      complain(fmt::format("submix \"{}\": slots feed each other in a circle: {}; {}", submix_.name,
                           circle, show::kCircleRemedy));
    }
    if (!faults_.empty()) return tl::unexpected(std::move(faults_));
    put_in_order();
    return std::move(graph_);
  }

 private:
  void complain(std::string reason) { faults_.push_back({{}, std::move(reason)}); }
  void complain(std::size_t slot, std::string_view reason) {
    faults_.push_back(fault_of(submix_.name, names_[slot], reason));
  }

  // All plugins at once: the process that looks at libraries is started a single time.
  void look_at_plugins() {
    std::vector<std::string> ids;
    for (const auto& slot : submix_.slots)
      ids.push_back(slot.plugin);
    catalog_.probe(ids);
  }

  void plan_slot(std::size_t i) {
    if (std::find(names_.begin(), names_.end(), names_[i]) !=
        names_.begin() + static_cast<std::ptrdiff_t>(i)) {
      complain(i, "another slot has this name; give it its own");
    }
    const auto& slot = submix_.slots[i];
    const auto description = catalog_.describe(slot.plugin);
    if (!description) return complain(i, description.error().message);
    graph_.slots[i].plugin = *description;
    graph_.slots[i].is_hosted =
        slot.hosting == show::Hosting::own_process && show::family_of(slot.plugin) != nullptr;
    graph_.slots[i].passes_on = slot.is_bypassed || (*description)->kind == plugin::Kind::output;
    graph_.slots[i].workers = static_cast<std::size_t>(slot.helpers);
    if (slot.helpers > 1) check_helpers(i, **description);
    const auto inputs = show::resolve_inputs(submix_, i, input_count((*description)->kind));
    if (!inputs) return complain(i, inputs.error().message);
    for (const auto& input : *inputs)
      connect(i, input);
  }

  void check_helpers(std::size_t i, const plugin::Description& description) {
    const auto& slot = submix_.slots[i];
    const auto refuse = [&](std::string_view why) {
      complain(i,
               fmt::format("helpers = {}, but plugin \"{}\" {}", slot.helpers, slot.plugin, why));
    };
    if (description.kind == plugin::Kind::source || description.kind == plugin::Kind::output) {
      return refuse(fmt::format("is {} {}, of which there can be one only; take \"helpers\" out",
                                description.kind == plugin::Kind::output ? "an" : "a",
                                plugin::to_string(description.kind)));
    }
    if (slot.is_stateless) return;
    const auto memory = catalog_.memory(slot.plugin);
    if (!memory) {
      return refuse(fmt::format("could not be tested for memory of former frames: {}; {}",
                                memory.error().message, kHelpersRemedy));
    }
    if (*memory == plugin::Memory::none) return;
    refuse(fmt::format("{}, and each helper would see some of the frames only; {}",
                       *memory == plugin::Memory::frames
                           ? "keeps something of former frames"
                           : "does not say whether it keeps former frames",
                       kHelpersRemedy));
  }

  void connect(std::size_t reader, const show::Input& edge) {
    const auto& input = edge.slot;
    const auto found = std::find(names_.begin(), names_.end(), input);
    if (found == names_.end()) {
      return complain(reader,
                      fmt::format("input \"{}\" is no slot of this submix{}; it has: {}", input,
                                  show::did_you_mean(input, names_), fmt::join(names_, ", ")));
    }
    const auto slot = static_cast<std::size_t>(found - names_.begin());
    graph_.slots[reader].inputs.push_back({.slot = slot, .delay = edge.delay});
    graph_.slots[slot].readers.push_back({.slot = reader, .delay = edge.delay});
  }

  [[nodiscard]] std::string find_circle() const {
    show::Graph readers;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (const auto& reader : graph_.slots[i].readers) {
        if (reader.delay == 0) readers[names_[i]].push_back(names_[reader.slot]);
      }
    }
    return show::find_circle(readers);
  }

  // The rank of a slot is the number of workers on the longest path from a source to the slot.
  // Slots are few, so a simple algorithm is fast enough.
  void put_in_order() {
    std::vector<std::size_t> rank;
    for (const auto& slot : graph_.slots)
      rank.push_back(slot.workers);
    for (std::size_t round = 0; round < names_.size(); ++round) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        for (const auto& input : graph_.slots[i].inputs) {
          if (input.delay == 0)
            rank[i] = std::max(rank[i], rank[input.slot] + graph_.slots[i].workers);
        }
      }
    }
    graph_.order.resize(names_.size());
    std::iota(graph_.order.begin(), graph_.order.end(), std::size_t{0});
    std::stable_sort(graph_.order.begin(), graph_.order.end(),
                     [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    graph_.longest_path = *std::max_element(rank.begin(), rank.end());
    balance(rank);
  }

  // Extra queue room for the shorter of two parallel paths. Without it the short path's queue would
  // fill and hold up the source while the longer path has work to do, so the two would work in
  // turns.
  void balance(const std::vector<std::size_t>& rank) {
    const auto slack = [&](std::size_t from, std::size_t to) {
      const auto before = rank[to] - graph_.slots[to].workers;
      return before - std::min(before, rank[from]);
    };
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (auto& input : graph_.slots[i].inputs)
        input.slack = slack(input.slot, i);
      for (auto& reader : graph_.slots[i].readers)
        reader.slack = slack(i, reader.slot);
    }
  }

  const show::Submix& submix_;
  const plugin::Catalog& catalog_;
  std::vector<std::string> names_;
  SlotFaults faults_;
  Graph graph_;
};

// Frames in the queues and workers behind `slot`, through readers that pass them on. Each slot is
// computed once.
std::size_t depth_behind(const Graph& graph, std::size_t slot, std::size_t queue_capacity) {
  std::vector<std::size_t> depths(graph.slots.size());
  for (auto each = graph.order.rbegin(); each != graph.order.rend(); ++each) {
    for (const auto& [reader, delay, slack] : graph.slots[*each].readers) {
      const bool passes_on =
          graph.slots[reader].passes_on && delay == 0;  // the first input is never delayed
      const auto further = passes_on ? depths[reader] : 0;
      depths[*each] =
          std::max(depths[*each], queue_capacity + slack + graph.slots[reader].workers + further);
    }
  }
  return depths[slot];
}

void collect_behind(const Graph& graph, std::size_t slot, std::set<std::size_t>& reached) {
  for (const auto& reader : graph.slots[slot].readers) {
    if (reached.insert(reader.slot).second) collect_behind(graph, reader.slot, reached);
  }
}

// Frames in delayed queues behind `slot` or the slots `behind` it.
std::size_t delayed_behind(const Graph& graph, std::size_t slot, std::set<std::size_t> behind) {
  behind.insert(slot);
  std::size_t sum = 0;
  for (const auto each : behind) {
    for (const auto& reader : graph.slots[each].readers)
      sum += reader.delay;
  }
  return sum;
}

}  // namespace

SlotFault fault_of(std::string_view submix, const std::string& slot, std::string_view reason) {
  return {slot, fmt::format("submix \"{}\", slot \"{}\": {}", submix, slot, reason)};
}

std::string to_string(const SlotFaults& faults) {
  std::vector<std::string> reasons;
  for (const auto& fault : faults)
    reasons.push_back(fault.reason);
  return fmt::format("{}", fmt::join(reasons, "\n"));
}

tl::expected<Graph, SlotFaults> Graph::try_plan(const show::Submix& submix,
                                                const plugin::Catalog& catalog) {
  return Planner(submix, catalog).run();
}

Result<Graph> Graph::plan(const show::Submix& submix, const plugin::Catalog& catalog) {
  auto graph = try_plan(submix, catalog);
  if (!graph) return fail("{}", to_string(graph.error()));
  return *std::move(graph);
}

std::size_t frames_in_flight(const show::Submix& submix, const Graph& graph, std::size_t cores) {
  if (submix.frames_in_flight > 0) return static_cast<std::size_t>(submix.frames_in_flight);
  const bool has_hosts = std::ranges::any_of(graph.slots, &GraphSlot::is_hosted);
  return std::min(graph.longest_path, has_hosts ? 2 * cores : cores) + 1;
}

std::size_t frames_made(const GraphSlot& slot, const SeatRules& rules) {
  return std::max(slot.workers, std::min(slot.workers + ReorderBuffer::held_back_max(slot.workers),
                                         rules.frames_in_flight_max));
}

std::size_t frames_delayed(const Graph& graph, std::size_t slot) {
  std::set<std::size_t> behind;
  collect_behind(graph, slot, behind);
  return delayed_behind(graph, slot, std::move(behind));
}

std::size_t frames_behind(const Graph& graph, std::size_t slot,
                          const std::vector<std::size_t>& retained, const SeatRules& rules) {
  std::set<std::size_t> behind;
  collect_behind(graph, slot, behind);
  const std::size_t in_flight =
      std::min(depth_behind(graph, slot, rules.queue_capacity), rules.frames_in_flight_max);
  const std::size_t tapped = 2 + rules.tap_readers;
  const std::size_t delayed = delayed_behind(graph, slot, behind);
  return std::accumulate(
      behind.begin(), behind.end(), in_flight + tapped + delayed,
      [&](std::size_t sum, std::size_t reached) { return sum + retained[reached]; });
}

}  // namespace submix::engine
