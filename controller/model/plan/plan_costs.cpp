// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/plan_costs.hpp"

#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/stated_value.hpp"
#include "controller/model/view/machine_use.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

namespace submix::model {
namespace {

constexpr double kFewFrames = 1.0;   // per second: too few for a rate
constexpr double kHandOverMs = 0.1;  // a frame, at any size
// A clip's picture in its own size costs 1 for each pixel. Scaling costs other amounts.
constexpr double kScaledRead = 0.7;   // for each pixel of the clip
constexpr double kScaledWrite = 1.5;  // for each pixel of the scaled picture
// Factor of pixels beyond which a cost is a guess; 720p to 4K is 9.
constexpr double kFarFromMeasured = 10;

bool has_counter(const StageView& stage, std::string_view name) {
  return std::ranges::any_of(stage.counters, [&](const auto& each) { return each.first == name; });
}

// The value of a slot's parameter "fit"; a slot inside a macro has the plugin's own.
std::string fit_in(const show::Show* show, const show::Port& port) {
  const auto* slot = show == nullptr ? nullptr : show->find_slot(port);
  if (slot == nullptr) return {};
  return show::stated_value(slot->parameters, "fit", std::string());
}

// The work of painting, in pixels of an unscaled picture. Bars beside a picture, and parts that are
// cut off, cost nothing.
double painting(const StageView& stage, Size size, const std::string& fit) {
  const Size own{static_cast<int>(stage.counter("own_width")),
                 static_cast<int>(stage.counter("own_height"))};
  const auto own_pixels = static_cast<double>(own.pixels());
  const auto all = static_cast<double>(size.pixels());
  if (own_pixels == 0 || own == size) return all;
  if (fit == "stretch") return kScaledRead * own_pixels + kScaledWrite * all;
  const auto [least, greatest] = std::minmax(
      {static_cast<double>(size.width) / own.width, static_cast<double>(size.height) / own.height});
  const bool is_filled = fit == "fill";
  const double zoom = is_filled ? greatest : least;
  const double written = is_filled ? all : zoom * zoom * own_pixels;
  const double read = written / (zoom * zoom);
  return zoom == 1 ? written : kScaledRead * read + kScaledWrite * written;
}

bool is_stream_in(const show::Submix& submix, std::string_view name) {
  const auto slot = show::find_named(submix.slots, name.substr(0, name.find('@')));
  return slot != submix.slots.end() && slot->plugin == show::kStreamInPlugin;
}

bool reads_stream(const show::Submix& submix, std::string_view name) {
  const auto slot = show::find_named(submix.slots, name);
  if (slot == submix.slots.end()) return false;
  if (slot->inputs) {
    return std::ranges::any_of(
        *slot->inputs, [&](const std::string& input) { return is_stream_in(submix, input); });
  }
  return slot != submix.slots.begin() && std::prev(slot)->plugin == show::kStreamInPlugin;
}

bool reads_stream(const show::Show* show, const std::string& submix, std::string_view slot) {
  const auto* found = show == nullptr ? nullptr : show->find_submix(submix);
  return found != nullptr && reads_stream(*found, slot);
}

// Milliseconds per frame of work beside the slot, which does not depend on the frames' size.
double decoding_ms(const StageView& stage) {
  if (stage.frames == 0) return 0;
  return static_cast<double>(stage.counter("decoding_us")) / 1e3 /
         static_cast<double>(stage.frames);
}

// Seconds per second on a core, of all helpers. A wait for a core is no work: it depends on what
// else runs at the same moment.
double computing(const StageView& stage) {
  return std::max(0.0, stage.shares.working * stage.helpers - stage.run_delay);
}

// Milliseconds of work per frame now. Empty: no frame was made yet. Frames that bypassed the plugin
// are no measurement.
std::optional<double> measured_ms(const StageView& stage, bool is_bypassed) {
  if (stage.frames == 0) return std::nullopt;
  if (stage.fps >= kFewFrames && !is_bypassed) return computing(stage) / stage.fps * 1e3;
  const double computed = std::chrono::duration<double, std::milli>(stage.frame_time.p50).count();
  return computed > 0 || !is_bypassed ? std::optional(computed) : std::nullopt;
}

double cores_of(const StageView& stage) {
  return computing(stage) + decoding_ms(stage) * stage.fps / 1e3;
}

bool is_bypassed_now(const ClusterView& view, const SubmixView& submix, const StageView& stage) {
  const auto* slot =
      view.show == nullptr ? nullptr : view.show->find_slot({submix.name, stage.slot});
  return slot != nullptr && slot->is_bypassed;
}

// Measured on shows of 15 to 30 fps: two thirds of the work beside the slots, such as streams and
// wake-ups, come with each frame.
constexpr double kOtherWorkByRate = 2.0 / 3;

/// The computers of a cluster. Each plan begins with the load that is not slots' work: streams,
/// previews and the system. `rate_ratio` is the present rate over the wanted one.
class MachineTable {
 public:
  MachineTable(const ClusterView& view, double rate_ratio) {
    for (const auto& node : view.nodes)
      add_node(node);
    for (auto& [key, plan] : plans_)
      plan.load = plan.load_now;
    for (const auto& submix : view.submixes)
      take_off_slots(submix);
    for (auto& [key, plan] : plans_)
      plan.load = std::max(0.0, plan.load) * (1 - kOtherWorkByRate + kOtherWorkByRate / rate_ratio);
  }

  /// The computer of `node`, which the wanted show uses. An unknown node has a computer of its own.
  MachinePlan& use(const std::string& node) {
    const auto found = key_of_.find(node);
    const auto& key = found == key_of_.end() ? node : found->second;
    auto& plan = plans_[key];
    if (plan.name.empty()) plan.name = node;
    used_.insert(key);
    return plan;
  }

  [[nodiscard]] std::vector<MachinePlan> used_plans() const {
    std::vector<MachinePlan> plans;
    for (const auto& [key, plan] : plans_) {
      if (used_.contains(key)) plans.push_back(plan);
    }
    return plans;
  }

 private:
  void add_node(const NodeView& node) {
    const auto same = std::ranges::find_if(
        known_, [&](const NodeView* known) { return are_on_one_machine(*known, node); });
    const auto& key = same == known_.end() ? node.name : (*same)->name;
    if (same == known_.end()) known_.push_back(&node);
    key_of_[node.name] = key;
    auto& plan = plans_[key];
    plan.name += (plan.name.empty() ? "" : ", ") + node.name;
    plan.cores = std::max(plan.cores, node.cores);
    plan.load_now += node.cpu_cores;
  }

  void take_off_slots(const SubmixView& submix) {
    const auto found = key_of_.find(submix.node);
    if (found == key_of_.end()) return;
    for (const auto& stage : submix.stages)
      plans_[found->second].load -= cores_of(stage);
  }

  std::vector<const NodeView*> known_;                      // the first node of each computer
  std::map<std::string, std::string, std::less<>> key_of_;  // the first node's name, by node
  std::map<std::string, MachinePlan> plans_;                // by key
  std::set<std::string> used_;                              // keys
};

}  // namespace

PlanCosts::PlanCosts(const ClusterView& view, const show::Show& wanted)
    : view_(view), wanted_(wanted) {
  const bool is_running = view.show != nullptr && view.show->rate.frames_per_second() > 0;
  if (is_running && wanted.rate.frames_per_second() > 0)
    rate_ratio_ = view.show->rate.frames_per_second() / wanted.rate.frames_per_second();
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages) {
      auto cost = cost_of(submix, stage);
      if (!cost) continue;
      cost->is_guess = cost->is_guess || stage.plugin == "clip";  // each clip decodes its own file
      auto& known =
          by_plugin_[{stage.plugin, reads_stream(view.show.get(), submix.name, stage.slot)}];
      if (cost->ms >= known.cost.ms) known = {*cost, has_counter(stage, "copied")};
    }
  }
}

std::optional<Size> PlanCosts::size_of(const SubmixView& submix) const {
  for (const auto& stream : view_.streams) {
    const bool is_sender = stream.from.submix == submix.name && stream.sender.node == submix.node;
    const bool is_receiver = stream.to.submix == submix.name && stream.receiver.node == submix.node;
    if (is_sender && stream.sender.size.pixels() > 0) return stream.sender.size;
    if (is_receiver && stream.receiver.size.pixels() > 0) return stream.receiver.size;
  }
  const auto* node = view_.find_node(submix.node);
  const bool has_followed = node != nullptr && node->show_revision >= view_.show_revision;
  if (submix.state == SubmixState::failed || !has_followed || view_.show == nullptr)
    return std::nullopt;
  return view_.show->size;
}

std::optional<SlotCost> PlanCosts::cost_of(const SubmixView& submix, const StageView& stage) const {
  const auto now_ms = measured_ms(stage, is_bypassed_now(view_, submix, stage));
  if (!now_ms) return std::nullopt;
  const auto measured = size_of(submix);
  const bool is_known = measured && measured->pixels() > 0;
  const show::Port port{submix.name, stage.slot};
  const double scale = is_known ? painting(stage, wanted_.size, fit_in(&wanted_, port)) /
                                      painting(stage, *measured, fit_in(view_.show.get(), port))
                                : 1.0;
  const bool is_far = is_known && static_cast<double>(wanted_.size.pixels()) >
                                      kFarFromMeasured * static_cast<double>(measured->pixels());
  const double hand_over = std::min(kHandOverMs, *now_ms);
  const double by_pixels = *now_ms - hand_over;
  const double slot_ms = hand_over + by_pixels * scale;
  return SlotCost{slot_ms + decoding_ms(stage) * rate_ratio_, slot_ms, !measured || is_far};
}

// The cost of the stages "look/…", which the macro in slot "look" became on its node.
std::optional<SlotCost> PlanCosts::cost_inside(const SubmixView& submix,
                                               const std::string& prefix) const {
  SlotCost sum;
  bool has_any = false;
  for (const auto& stage : submix.stages) {
    if (!stage.slot.starts_with(prefix)) continue;
    const auto cost = cost_of(submix, stage);
    if (!cost) return std::nullopt;
    has_any = true;
    sum.ms += cost->ms;
    sum.slowest_ms = std::max(sum.slowest_ms, cost->slowest_ms / stage.helpers);
    sum.is_guess = sum.is_guess || cost->is_guess;
  }
  return has_any ? std::optional(sum) : std::nullopt;
}

std::optional<SlotCost> PlanCosts::of(const show::Submix& submix, const show::Slot& slot) const {
  if (slot.is_bypassed) return SlotCost{};
  const auto* now = view_.find_submix(submix.name);
  if (!show::macro_of(slot).empty())
    return now == nullptr ? std::nullopt : cost_inside(*now, slot.name + "/");
  const auto* stage = now == nullptr ? nullptr : now->find_stage(slot.name);
  if (stage != nullptr && stage->plugin == slot.plugin) {
    if (const auto cost = cost_of(*now, *stage)) return cost;
  }
  return of_plugin({slot.plugin, reads_stream(submix, slot.name)});
}

std::optional<SlotCost> PlanCosts::of_plugin(const Kind& kind) const {
  if (const auto known = by_plugin_.find(kind); known != by_plugin_.end())
    return known->second.cost;
  const auto other = by_plugin_.find({kind.first, !kind.second});
  if (other == by_plugin_.end()) return std::nullopt;
  auto cost = other->second.cost;
  cost.is_guess = cost.is_guess || other->second.is_hosted;
  return cost;
}

double PlanCosts::output_chain_ms(const show::Submix& submix) const {
  const auto* now = view_.find_submix(submix.name);
  const auto cost = now == nullptr ? std::nullopt : cost_inside(*now, "output:");
  return cost && !wanted_.output_chain.empty() ? cost->ms : 0;
}

std::vector<MachinePlan> PlanCosts::machines() const {
  MachineTable machines(view_, rate_ratio_);
  const double frames_per_ms = wanted_.rate.frames_per_second() / 1e3;

  for (const auto& submix : wanted_.submixes) {
    if (submix.node.empty()) continue;
    auto& plan = machines.use(submix.node);
    plan.load += output_chain_ms(submix) * frames_per_ms;

    for (const auto& slot : submix.slots) {
      const auto cost = of(submix, slot);
      plan.is_whole = plan.is_whole && cost.has_value();
      plan.is_guess = plan.is_guess || (cost && cost->is_guess);
      plan.load += cost.value_or(SlotCost{}).ms * frames_per_ms;
    }
  }

  return machines.used_plans();
}

}  // namespace submix::model
