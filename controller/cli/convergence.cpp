// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/convergence.hpp"

#include <fmt/format.h>

namespace submix::cli {
namespace {

struct SubmixProgress {
  std::string text;
  bool is_finished = false;
  bool is_failure = false;
};

SubmixProgress progress_of(const model::SubmixView& submix, const model::ClusterView& view,
                           std::uint64_t revision) {
  if (submix.state == model::SubmixState::in_others) return {"runs inside other submixes", true};
  if (submix.node.empty()) return {"no node is assigned; assign one with \"submix assign\"", true};
  const auto* node = view.find_present_node(submix.node);
  if (node == nullptr) {
    return {fmt::format("waits for node \"{}\"; start it with: submix-node --name {}", submix.node,
                        submix.node)};
  }
  if (node->show_revision < revision)
    return {fmt::format("node \"{}\" has not begun it yet", submix.node)};
  if (submix.state == model::SubmixState::failed) {
    return {fmt::format("failed on {}: {}", submix.node, submix.error), true, true};
  }
  const bool is_running = submix.state == model::SubmixState::running;
  if (is_running && !submix.error.empty())
    return {fmt::format("running on {}, but: {}", submix.node, submix.error), true, true};
  return {fmt::format("{} on {}", to_string(submix.state), submix.node), is_running};
}

}  // namespace

std::vector<std::string> Convergence::update(const model::ClusterView& view) {
  for (const auto& node : view.nodes) {
    if (node.is_present()) heard_.insert(node.name);
  }
  std::vector<std::string> news;
  if (view.show_revision < revision_) return news;  // the view has not heard of the show yet
  has_silent_node_ = false;
  unfinished_.clear();
  has_failed_ = false;
  for (const auto& submix : view.submixes) {
    auto step = progress_of(submix, view, revision_);
    if (heard_.contains(submix.node) && view.find_present_node(submix.node) == nullptr) {
      has_silent_node_ = true;
      step.text =
          fmt::format("waits for node \"{}\", which has gone silent: it may be busy with this show",
                      submix.node);
    }
    auto line = fmt::format("{}: {}", submix.name, step.text);
    if (!step.is_finished) unfinished_.push_back(line);
    has_failed_ = has_failed_ || step.is_failure;
    auto& told = told_[submix.name];
    if (told == line) continue;
    told = line;
    news.push_back(std::move(line));
  }
  is_over_ = unfinished_.empty();
  return news;
}

std::vector<std::string> Convergence::unfinished() const {
  return unfinished_;
}

}  // namespace submix::cli
