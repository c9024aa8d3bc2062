// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/plugin_questions.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

bool is_described(const show::Submix& submix, const model::ClusterView& known) {
  return std::ranges::all_of(submix.slots, [&](const show::Slot& slot) {
    return known.find_plugin(slot.plugin) != nullptr;
  });
}

}  // namespace

void PluginQuestions::answered(const std::string& node, const std::string& error) {
  auto errors = errors_ == nullptr ? Errors() : *errors_;
  if (error.empty()) {
    errors.erase(node);
  } else {
    errors[node] = error;
  }
  errors_ = errors.empty() ? nullptr : std::make_shared<const Errors>(std::move(errors));
}

bool PluginQuestions::may_ask(const model::ClusterView& known, const std::string& node,
                              LocalTime now) {
  if (known.find_healthy_node(node) == nullptr) return false;
  const auto asked = asked_.find(node);
  if (asked != asked_.end() && now - asked->second < kRetry) return false;
  asked_[node] = now;
  return true;
}

std::vector<std::string> PluginQuestions::due(const model::ClusterView& known, LocalTime now) {
  std::vector<std::string> nodes;
  if (known.show == nullptr) return nodes;
  const auto ask = [&](const std::string& node) {
    if (may_ask(known, node, now)) nodes.push_back(node);
  };
  for (const auto& submix : known.show->submixes) {
    if (is_described(submix, known)) continue;
    if (known.find_healthy_node(submix.node) != nullptr) {
      ask(submix.node);
      continue;
    }
    for (const auto& node : known.nodes) {  // most plugins are the same on all nodes
      if (known.find_plugin_list(node.name) == nullptr) ask(node.name);
    }
  }
  for (const auto& node : wanted_) {
    if (known.find_plugin_list(node) == nullptr) ask(node);
  }
  return nodes;
}

}  // namespace submix::session
