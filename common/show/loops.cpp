// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/loops.hpp"

#include "common/show/circles.hpp"
#include "common/show/macros.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

// expand() removes places (slots that stand for submixes) and ports. This file keeps both as slots
// that pass frames on, so the search ends even if slots feed each other in a circle.

namespace submix::show {
namespace {

struct SlotInput {
  std::size_t from = 0;
  std::size_t delay = 0;
};

/// A slot of the submix, or of a submix used in it.
struct SlotNode {
  std::string name;  ///< "place/slot"
  std::vector<SlotInput> inputs = {};
  bool passes_on = false;  ///< a place, or a port inside a place: its readers really read its input
  bool numbers = true;     ///< its first input gives its frames their numbers
};

class SlotGraph {
 public:
  SlotGraph(const Show& show, const InputsOf& inputs_of) : show_(show), inputs_of_(inputs_of) {}

  /// Adds the slots of `submix` and returns their nodes by slot name. `ports`: the inputs of the
  /// place; null: the submix is not used in a place.
  std::map<std::string, std::size_t> add(const Submix& submix, const std::string& prefix,
                                         const std::vector<SlotInput>* ports) {
    std::map<std::string, std::size_t> nodes;
    if (nodes_.size() > kNodesMax) return nodes;
    for (const auto& slot : submix.slots) {
      nodes.emplace(slot.name, nodes_.size());
      nodes_.push_back({.name = prefix + slot.name});
    }
    std::size_t port = 0;
    for (std::size_t i = 0; i < submix.slots.size(); ++i) {
      const auto& slot = submix.slots[i];
      const auto node = nodes.at(slot.name);
      auto inputs = edges(submix, i, nodes);
      const auto* macro = show_.find_submix(macro_of(slot));
      if (macro != nullptr) {
        nodes_[node].numbers = false;
        nodes_[node].passes_on = true;
        const auto inner = add(*macro, prefix + slot.name + "/", &inputs);
        const auto outputs = slots_of_plugin(*macro, kStreamOutPlugin);
        inputs.clear();
        if (outputs.size() == 1 && !inner.empty())
          inputs.push_back({inner.at(outputs.front()->name), 0});
      } else if (ports != nullptr && slot.plugin == kStreamInPlugin) {
        nodes_[node].numbers = false;
        nodes_[node].passes_on = true;
        if (port < ports->size()) inputs = {(*ports)[port++]};
      } else if (ports != nullptr && slot.plugin == kStreamOutPlugin) {
        nodes_[node].passes_on = true;
      }
      nodes_[node].inputs = std::move(inputs);
    }
    return nodes;
  }

  [[nodiscard]] const std::vector<SlotNode>& nodes() const { return nodes_; }

  /// The delay of an edge, places passed on the way included. Only for nodes without a circle.
  [[nodiscard]] std::size_t delay_of(SlotInput edge) const {
    auto delay = edge.delay;
    std::vector<bool> seen(nodes_.size());  // a node that only passes itself on would have no end
    while (!seen[edge.from]) {
      seen[edge.from] = true;
      const auto& from = nodes_[edge.from];
      if (!from.passes_on || from.inputs.empty()) break;
      edge = from.inputs.front();
      delay += edge.delay;
    }
    return delay;
  }

 private:
  // Valid shows have fewer: ports and places add little.
  static constexpr std::size_t kNodesMax = 8 * kSlotsMax;

  [[nodiscard]] std::vector<SlotInput> edges(
      const Submix& submix, std::size_t i, const std::map<std::string, std::size_t>& nodes) const {
    const auto& slot = submix.slots[i];
    std::vector<std::string> texts;
    if (slot.inputs) {
      texts = *slot.inputs;
    } else if (i > 0 && inputs_of(slot) == InputCount(1)) {
      texts = {submix.slots[i - 1].name};
    }
    std::vector<SlotInput> edges;
    for (const auto& text : texts) {
      const auto input = parse_input(text);
      const auto found = input ? nodes.find(input->slot) : nodes.end();
      if (found != nodes.end()) edges.push_back({found->second, input->delay});
    }
    return edges;
  }

  [[nodiscard]] std::optional<InputCount> inputs_of(const Slot& slot) const {
    if (const auto* macro = show_.find_submix(macro_of(slot)); macro != nullptr)
      return slots_of_plugin(*macro, kStreamInPlugin).size();
    if (slot.plugin == kStreamOutPlugin) return 1;
    if (slot.plugin == kStreamInPlugin) return 0;
    return inputs_of_(slot);
  }

  const Show& show_;
  const InputsOf& inputs_of_;
  std::vector<SlotNode> nodes_;
};

std::string circle_in(const std::vector<SlotNode>& nodes) {
  Graph readers;
  for (const auto& node : nodes) {
    for (const auto& [from, delay] : node.inputs) {
      if (delay == 0) readers[nodes[from].name].push_back(node.name);
    }
  }
  return find_circle(readers);
}

/// Collects the faults of submixes. A submix whose nested submix is faulty is not examined itself.
class LoopFaults {
 public:
  LoopFaults(const Show& show, const InputsOf& inputs_of) : show_(show), inputs_of_(inputs_of) {}

  bool check(const Submix& submix) {
    const auto [known, is_new] = is_faulty_.emplace(submix.name, false);
    if (!is_new) return known->second;
    bool is_faulty = false;
    for (const auto& slot : submix.slots) {
      const auto* macro = show_.find_submix(macro_of(slot));
      is_faulty = (macro != nullptr && check(*macro)) || is_faulty;
    }
    if (!is_faulty) {
      const auto index = static_cast<std::size_t>(&submix - show_.submixes.data());
      auto found = check_loops(show_, index, inputs_of_);
      is_faulty = !found.empty();
      std::move(found.begin(), found.end(), std::back_inserter(problems_));
    }
    return known->second = is_faulty;
  }

  [[nodiscard]] Problems take() { return std::move(problems_); }

 private:
  const Show& show_;
  const InputsOf& inputs_of_;
  std::map<std::string, bool> is_faulty_;  // by submix
  Problems problems_;
};

}  // namespace

Problems check_loops(const Show& show, std::size_t submix_index, const InputsOf& inputs_of) {
  const auto& submix = show.submixes[submix_index];
  const auto path = fmt::format("submix[{}]", submix_index);
  SlotGraph graph(show, inputs_of);
  static_cast<void>(graph.add(submix, "", nullptr));
  const auto& nodes = graph.nodes();
  if (const auto circle = circle_in(nodes); !circle.empty()) {
    return {{path, fmt::format("submix \"{}\": slots feed each other in a circle: {}; {}",
                               submix.name, circle, kCircleRemedy)}};
  }
  Problems problems;
  for (const auto& node : nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto& from = nodes[node.inputs[i].from].name;
      const auto delay = graph.delay_of(node.inputs[i]);
      if (i == 0 && node.numbers && delay > 0 && node.inputs[i].delay == 0) {
        problems.push_back(
            {path, fmt::format("submix \"{}\", slot \"{}\": its first input, \"{}\", is what is "
                               "read {} frame{} late in front of it: {}",
                               submix.name, node.name, from, delay, delay == 1 ? "" : "s",
                               kFirstInputRule)});
      } else if (delay > kDelayMax && !node.passes_on) {
        problems.push_back(
            {path,
             fmt::format("submix \"{}\", slot \"{}\": its input \"{}\" is {} frames late with the "
                         "delays in front of it, more than {}; shorten one of them",
                         submix.name, node.name, from, delay, kDelayMax)});
      }
    }
  }
  return problems;
}

Problems check_all_loops(const Show& show, const std::vector<std::size_t>& submix_indexes,
                         const InputsOf& inputs_of) {
  LoopFaults faults(show, inputs_of);
  for (const auto index : submix_indexes)
    faults.check(show.submixes.at(index));
  return faults.take();
}

}  // namespace submix::show
