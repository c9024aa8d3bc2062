// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/graph.hpp"

#include "common/show/circles.hpp"
#include "common/show/nearest.hpp"
#include "common/show/plugin_form.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace submix::engine {
namespace {

// Builds a graph and collects all that is wrong with it.
class Planner {
 public:
  Planner(const show::Submix& submix, const plugin::Catalog& catalog) : submix_(submix), catalog_(catalog) {
    for (const auto& slot : submix_.slots)
      names_.push_back(slot.name);
  }

  Result<Graph> run() {
    if (submix_.slots.empty())
      return fail("submix \"{}\" has no slots; give it at least a source", submix_.name);
    graph_.slots.resize(submix_.slots.size());
    for (std::size_t i = 0; i < submix_.slots.size(); ++i)
      plan_slot(i);
    if (const auto circle = find_circle(); !circle.empty()) {
      complain(
          fmt::format("submix \"{}\": slots feed each other in a circle: {}; take one of these names out of "
                      "\"inputs\"",
                      submix_.name, circle));
    }
    if (!problems_.empty()) return fail("{}", fmt::join(problems_, "\n"));
    put_in_order();
    return std::move(graph_);
  }

 private:
  void complain(std::string problem) { problems_.push_back(std::move(problem)); }
  void complain(std::size_t slot, std::string_view problem) {
    complain(fmt::format("submix \"{}\", slot \"{}\": {}", submix_.name, names_[slot], problem));
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
    graph_.slots[i].passes_on = slot.is_bypassed || (*description)->kind == plugin::Kind::output;
    const auto inputs = show::resolve_inputs(submix_, i, input_count((*description)->kind));
    if (!inputs) return complain(i, inputs.error().message);
    for (const auto& input : *inputs)
      connect(i, input);
  }

  void connect(std::size_t reader, const std::string& input) {
    const auto found = std::find(names_.begin(), names_.end(), input);
    if (found == names_.end()) {
      return complain(reader, fmt::format("input \"{}\" is no slot of this submix{}; it has: {}", input,
                                          show::did_you_mean(input, names_), fmt::join(names_, ", ")));
    }
    const auto slot = static_cast<std::size_t>(found - names_.begin());
    graph_.slots[reader].inputs.push_back(slot);
    graph_.slots[slot].readers.push_back(reader);
  }

  [[nodiscard]] std::string find_circle() const {
    show::Graph readers;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (const auto reader : graph_.slots[i].readers)
        readers[names_[i]].push_back(names_[reader]);
    }
    return show::find_circle(readers);
  }

  // A slot's rank is the number of slots on the longest way to it from a source. Few slots: no need for
  // haste.
  void put_in_order() {
    std::vector<std::size_t> rank(names_.size(), 1);
    for (std::size_t round = 0; round < names_.size(); ++round) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        for (const auto input : graph_.slots[i].inputs)
          rank[i] = std::max(rank[i], rank[input] + 1);
      }
    }
    graph_.order.resize(names_.size());
    std::iota(graph_.order.begin(), graph_.order.end(), std::size_t{0});
    std::stable_sort(graph_.order.begin(), graph_.order.end(),
                     [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    graph_.longest_path = *std::max_element(rank.begin(), rank.end());
  }

  const show::Submix& submix_;
  const plugin::Catalog& catalog_;
  std::vector<std::string> names_;
  std::vector<std::string> problems_;
  Graph graph_;
};

// Frames in the queues and hands behind `slot`, through readers that pass them on.
std::size_t depth_behind(const Graph& graph, std::size_t slot, std::size_t queue_capacity) {
  std::size_t depth = 0;
  for (const auto reader : graph.slots[slot].readers) {
    const auto further = graph.slots[reader].passes_on ? depth_behind(graph, reader, queue_capacity) : 0;
    depth = std::max(depth, queue_capacity + 1 + further);
  }
  return depth;
}

void collect_behind(const Graph& graph, std::size_t slot, std::set<std::size_t>& reached) {
  for (const auto reader : graph.slots[slot].readers) {
    if (reached.insert(reader).second) collect_behind(graph, reader, reached);
  }
}

}  // namespace

Result<Graph> Graph::plan(const show::Submix& submix, const plugin::Catalog& catalog) {
  return Planner(submix, catalog).run();
}

std::size_t frames_behind(const Graph& graph, std::size_t slot, const std::vector<std::size_t>& retained,
                          const SeatRules& rules) {
  std::set<std::size_t> behind;
  collect_behind(graph, slot, behind);
  const std::size_t in_flight =
      std::min(depth_behind(graph, slot, rules.queue_capacity), rules.frames_in_flight_max);
  const std::size_t tapped = 1 + rules.tap_readers;
  return std::accumulate(behind.begin(), behind.end(), in_flight + tapped,
                         [&](std::size_t sum, std::size_t reached) { return sum + retained[reached]; });
}

}  // namespace submix::engine
