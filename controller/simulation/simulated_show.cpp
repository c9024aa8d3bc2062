// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/simulated_show.hpp"

#include "common/show/validate.hpp"
#include "controller/simulation/seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace submix::simulation {
namespace {

// Inputs of a mix: with its mixers it stays within the slots of a submix.
constexpr std::size_t kInputsMax = 24;
constexpr std::size_t kStreamsOfNode = 4;

template <std::size_t N>
std::string pick(const std::array<const char*, N>& choices, std::uint64_t number) {
  return choices.at(number % N);
}

constexpr std::array kSources{"frei0r/plasma", "pattern", "frei0r/ising0r", "frei0r/lissajous0r"};
constexpr std::array kFilters{"frei0r/glow", "frei0r/distort0r", "frei0r/tint0r",
                              "frei0r/pixeliz0r", "frei0r/invert0r"};
constexpr std::array kMixers{"frei0r/screen", "frei0r/blend", "frei0r/xfade0r", "frei0r/addition"};

/// Submixes in four rows. Each row reads only earlier rows, so streams form no circle.
class ShowPlan {
 public:
  explicit ShowPlan(const Scale& scale)
      : scale_(scale), row_of_(scale.nodes), inputs_(scale.nodes), outputs_(scale.nodes) {
    // 64 nodes have 34 performers, 21 mixes, 8 mixes of mixes, and the output.
    const auto nodes = scale.nodes;
    const std::size_t last = nodes - 1;
    const std::size_t third = last - std::min(last, nodes / 8);
    const std::size_t second = third - std::min(third > 0 ? third - 1 : 0, nodes / 3);
    for (std::size_t i = 0; i < nodes; ++i)
      row_of_[i] = i == last ? 3U : i >= third ? 2U : i >= second ? 1U : 0U;
  }

  struct PlannedStream {
    std::size_t from = 0;
    std::size_t to = 0;
  };

  Result<std::vector<PlannedStream>> edges() {
    const auto nodes = scale_.nodes;
    const auto wanted =
        scale_.streams.value_or(std::min({kStreamsOfNode * nodes, most(), show::kStreamsMax}));
    if (wanted + 1 < nodes || wanted > most() || wanted > show::kStreamsMax) {
      return fail(
          "{} streams: a simulated show of {} nodes has {} to {}; choose --streams within that",
          wanted, nodes, nodes - 1, std::min(most(), show::kStreamsMax));
    }
    for (std::size_t i = 0; i + 1 < nodes; ++i)
      add(i, least_read(i, true));  // each picture is carried on
    for (std::size_t i = 0; edges_.size() < wanted; ++i) {
      const auto from = spread(scale_.seed ^ i) % (nodes - 1);
      if (const auto to = least_read(from, false); to != 0 && outputs_[from] < show::kReceiversMax)
        add(from, to);
    }
    return edges_;
  }
  [[nodiscard]] std::size_t row_of(std::size_t submix) const { return row_of_[submix]; }

 private:
  /// A number of streams that certainly fits, whatever the order.
  [[nodiscard]] std::size_t most() const {
    const auto mixes =
        static_cast<std::size_t>(std::ranges::count_if(row_of_, [](auto row) { return row > 0; }));
    const auto inputs = mixes * kInputsMax / 2;
    const auto outputs = (scale_.nodes - 1) * show::kReceiversMax / 2;
    return std::max(scale_.nodes - 1, std::min(inputs, outputs));
  }
  void add(std::size_t from, std::size_t to) {
    edges_.push_back({from, to});
    ++outputs_[from];
    ++inputs_[to];
  }
  /// The reader with the fewest inputs in the next row, or in any later row. 0: there is no room.
  [[nodiscard]] std::size_t least_read(std::size_t from, bool is_next) const {
    std::size_t best = 0;
    const auto next = next_row(row_of_[from]);
    for (std::size_t i = from + 1; i < row_of_.size(); ++i) {
      const bool is_reader = is_next ? row_of_[i] == next : row_of_[i] > row_of_[from];
      if (is_reader && inputs_[i] < kInputsMax && (best == 0 || inputs_[i] < inputs_[best]))
        best = i;
    }
    return best;
  }
  [[nodiscard]] std::size_t next_row(std::size_t row) const {
    std::size_t next = 3;
    for (const auto other : row_of_) {
      if (other > row) next = std::min(next, other);
    }
    return next;
  }

  const Scale scale_;
  std::vector<std::size_t> row_of_;
  std::vector<std::size_t> inputs_;
  std::vector<std::size_t> outputs_;
  std::vector<PlannedStream> edges_;
};

show::Slot slot(std::string name, std::string plugin,
                std::optional<std::vector<std::string>> inputs = {}) {
  show::Slot slot;
  slot.name = std::move(name);
  slot.plugin = std::move(plugin);
  slot.inputs = std::move(inputs);
  return slot;
}

std::string name_of(std::size_t row, std::size_t number, std::size_t nodes) {
  constexpr std::array kNames{"performer", "mix", "group"};
  if (number + 1 == nodes) return "output";
  return fmt::format("{}-{:02}", kNames.at(row), number + 1);
}

/// Adds mixers for `inputs`, one after the other, and returns the last slot's name.
std::string add_mixers(show::Submix& submix, const std::vector<std::string>& inputs,
                       std::uint64_t number) {
  auto mixed = inputs.front();
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    auto name = fmt::format("mix-{}", i);
    submix.slots.push_back(
        slot(name, pick(kMixers, spread(number + i)), std::vector{mixed, inputs[i]}));
    mixed = std::move(name);
  }
  return mixed;
}

void add_slots(show::Submix& submix, std::size_t inputs, bool is_output, std::uint64_t number) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs; ++i) {
    names.push_back(fmt::format("in-{}", i + 1));
    submix.slots.push_back(slot(names.back(), std::string(show::kStreamInPlugin)));
  }
  if (names.empty()) {
    names.emplace_back("source");
    submix.slots.push_back(slot("source", pick(kSources, number)));
  }
  const auto mixed = add_mixers(submix, names, number);
  submix.slots.push_back(slot("look", pick(kFilters, number >> 8U), std::vector{mixed}));
  if (inputs == 0) submix.slots.push_back(slot("detail", pick(kFilters, number >> 16U)));
  submix.slots.push_back(is_output ? slot("screen", "window")
                                   : slot("out", std::string(show::kStreamOutPlugin)));
}

// Half of the streams lose no frames; the others use the other policies.
show::InputPolicy policy_of(std::size_t stream) {
  constexpr std::array kPolicies{show::InputPolicy::wait, show::InputPolicy::hold,
                                 show::InputPolicy::wait, show::InputPolicy::standby,
                                 show::InputPolicy::wait, show::InputPolicy::latest,
                                 show::InputPolicy::wait, show::InputPolicy::black};
  return kPolicies.at(stream % kPolicies.size());
}

}  // namespace

Result<show::Show> make_show(const Scale& scale) {
  if (scale.nodes < 1 || scale.nodes > show::kNodesMax)
    return fail("{} nodes: a show has 1 to {}; choose --nodes within that", scale.nodes,
                show::kNodesMax);
  ShowPlan plan(scale);
  const auto edges = plan.edges();
  SUBMIX_TRY(edges);
  show::Show show;
  show.name = "simulated";
  std::vector<std::size_t> inputs(scale.nodes);
  for (const auto& [from, to] : *edges)
    ++inputs[to];
  for (std::size_t i = 0; i < scale.nodes; ++i) {
    const auto node = fmt::format("sim-{:02}", i + 1);
    show.nodes.push_back({node, "simulated"});
    show::Submix submix{name_of(plan.row_of(i), i, scale.nodes), node, {}};
    add_slots(submix, inputs[i], i + 1 == scale.nodes, spread(scale.seed + i));
    show.submixes.push_back(std::move(submix));
  }
  std::vector<std::size_t> wired(scale.nodes);
  for (const auto& [from, to] : *edges) {
    show::Stream stream;
    stream.name = fmt::format("stream-{:03}", show.streams.size() + 1);
    stream.from = {show.submixes[from].name, "out"};
    stream.to = {show.submixes[to].name, fmt::format("in-{}", ++wired[to])};
    stream.policy = policy_of(show.streams.size());
    show.streams.push_back(std::move(stream));
  }
  return show;
}

}  // namespace submix::simulation
