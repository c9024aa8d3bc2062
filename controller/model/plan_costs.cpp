// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan_costs.hpp"

#include "common/show/macros.hpp"

#include <algorithm>
#include <chrono>

namespace submix::model {
namespace {

constexpr double kFewFrames = 1.0;  // a second: too few to divide by

// Milliseconds of work for a frame; empty: none was made yet.
std::optional<double> cost_of(const StageView& stage) {
  if (stage.frames == 0) return std::nullopt;
  if (stage.fps >= kFewFrames) return stage.shares.working * stage.helpers / stage.fps * 1e3;
  return std::chrono::duration<double, std::milli>(stage.frame_time.p50).count();
}

double cores_of(const StageView& stage) {
  return stage.shares.working * stage.helpers;
}

// Of the stages "look/…", which a submix in slot "look" became on its node.
std::optional<SlotCost> cost_inside(const SubmixView& submix, const std::string& prefix) {
  SlotCost sum;
  bool has_any = false;
  for (const auto& stage : submix.stages) {
    if (!stage.slot.starts_with(prefix)) continue;
    const auto cost = cost_of(stage);
    if (!cost) return std::nullopt;
    has_any = true;
    sum.ms += *cost;
    sum.slowest_ms = std::max(sum.slowest_ms, *cost / stage.helpers);
  }
  return has_any ? std::optional(sum) : std::nullopt;
}

/// Nodes on one computer.
struct Machine {
  MachinePlan plan;
  double working_now = 0;  // of its slots
};

}  // namespace

PlanCosts::PlanCosts(const ClusterView& view, const show::Show& wanted) : view_(view), wanted_(wanted) {
  if (view.show != nullptr && view.show->size.pixels() > 0) {
    scale_ = static_cast<double>(wanted.size.pixels()) / static_cast<double>(view.show->size.pixels());
  }
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages) {
      const auto cost = cost_of(stage);
      if (!cost) continue;
      auto& known = by_plugin_[stage.plugin];
      known = {std::max(known.ms, *cost * scale_), std::max(known.slowest_ms, *cost * scale_)};
    }
  }
}

std::optional<SlotCost> PlanCosts::of(const show::Submix& submix, const show::Slot& slot) const {
  if (slot.is_bypassed) return SlotCost{};
  const auto* now = view_.find_submix(submix.name);
  if (!show::macro_of(slot).empty()) {
    auto cost = now == nullptr ? std::nullopt : cost_inside(*now, slot.name + "/");
    if (cost) cost = SlotCost{cost->ms * scale_, cost->slowest_ms * scale_};
    return cost;
  }
  const auto* stage = now == nullptr ? nullptr : now->find_stage(slot.name);
  if (stage != nullptr && stage->plugin == slot.plugin) {
    if (const auto cost = cost_of(*stage)) return SlotCost{*cost * scale_, *cost * scale_};
  }
  const auto known = by_plugin_.find(slot.plugin);
  return known == by_plugin_.end() ? std::nullopt : std::optional(known->second);
}

double PlanCosts::output_chain_ms(const show::Submix& submix) const {
  const auto* now = view_.find_submix(submix.name);
  const auto cost = now == nullptr ? std::nullopt : cost_inside(*now, "output:");
  return cost && !wanted_.output_chain.empty() ? cost->ms * scale_ : 0;
}

// What is not a slot's work (streams, previews, the system) stays with the computer as it is.
std::vector<MachinePlan> PlanCosts::machines() const {
  std::map<std::string, Machine> machines;
  std::map<std::string, std::string, std::less<>> machine_of;  // by node
  for (const auto& node : view_.nodes) {
    const auto& key = machine_of[node.name] = node.host.empty() ? node.name : "host " + node.host;
    auto& machine = machines[key];
    machine.plan.name += (machine.plan.name.empty() ? "" : ", ") + node.name;
    machine.plan.cores = std::max(machine.plan.cores, node.cores);
    machine.plan.load_now += node.cpu_cores;
  }
  for (const auto& submix : view_.submixes) {
    const auto found = machine_of.find(submix.node);
    if (found == machine_of.end()) continue;
    for (const auto& stage : submix.stages)
      machines[found->second].working_now += cores_of(stage);
  }
  for (auto& [key, machine] : machines)
    machine.plan.load = std::max(0.0, machine.plan.load_now - machine.working_now);
  const double frames_per_ms = wanted_.rate.frames_per_second() / 1e3;
  std::map<std::string, bool> is_used;
  for (const auto& submix : wanted_.submixes) {
    if (submix.node.empty()) continue;
    const auto found = machine_of.find(submix.node);
    const auto key = found == machine_of.end() ? submix.node : found->second;
    auto& plan = machines[key].plan;
    if (plan.name.empty()) plan.name = submix.node;
    is_used[key] = true;
    plan.load += output_chain_ms(submix) * frames_per_ms;
    for (const auto& slot : submix.slots) {
      const auto cost = of(submix, slot);
      plan.is_whole = plan.is_whole && cost.has_value();
      plan.load += cost.value_or(SlotCost{}).ms * frames_per_ms;
    }
  }
  std::vector<MachinePlan> plans;
  for (const auto& [key, machine] : machines) {
    if (is_used[key]) plans.push_back(machine.plan);
  }
  return plans;
}

}  // namespace submix::model
