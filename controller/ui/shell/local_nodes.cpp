// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/local_nodes.hpp"

#include "common/base/files.hpp"
#include "controller/local/start_node.hpp"
#include "controller/model/edit/new_show.hpp"
#include "controller/ui/shell/local_nodes_state.hpp"

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

namespace submix::ui {
namespace {

// The nodes that the show names. Without a show: two that perform, and one that mixes.
std::vector<std::string> names_for(const model::ClusterView& view) {
  if (view.show == nullptr || view.show->nodes.empty()) return {"left", "right", "mix"};
  std::vector<std::string> names;
  for (const auto& node : view.show->nodes)
    names.push_back(node.name);
  return names;
}

}  // namespace

void LocalNodes::tend(const model::ClusterView& view, PanelState& state,
                      std::vector<session::Action>& actions) {
  auto& page = *state.local_nodes;
  if (std::exchange(page.are_to_end, false)) {
    page.is_start_over = true;
    end();
  }
  if (std::exchange(page.are_wanted, false) && processes_.empty()) {
    needs_show_ = view.show == nullptr;
    const auto started = start(names_for(view));
    page.error = started ? "" : started.error().message;
    page.names = names_;
    page.is_start_over = false;
  }
  std::erase_if(processes_, [&](ChildProcess& process) {
    const auto status = process.exit_status();
    if (status && !is_ending_)
      page.error = fmt::format("a node ended by itself (status {}); see {}", *status,
                               (state_home() / "logs").string());
    page.is_start_over = page.is_start_over || status.has_value();
    return status.has_value();
  });
  page.are_started = !processes_.empty();
  const auto is_healthy = [&](const std::string& name) {
    const auto* node = view.find_node(name);
    return node != nullptr && node->health == model::Health::healthy;
  };
  const bool is_awaited = needs_show_ || !page.is_start_over;
  if (!is_awaited || processes_.empty() || !std::ranges::all_of(names_, is_healthy)) return;
  page.is_start_over = true;
  if (!needs_show_) return;
  needs_show_ = false;
  if (view.show != nullptr) return;
  model::NewShow wanted;
  wanted.name = "first show";
  wanted.nodes = names_;
  actions.emplace_back(
      session::BeginShow{std::make_shared<const show::Show>(model::make_show(wanted))});
}

// tend() notices later that they have ended: the window does not wait for them.
void LocalNodes::end() {
  is_ending_ = true;
  needs_show_ = false;
  for (auto& process : processes_)
    process.send_signal(SIGTERM);
}

Result<void> LocalNodes::start(const std::vector<std::string>& names) {
  const auto logs = state_home() / "logs";
  std::error_code failed;
  std::filesystem::create_directories(logs, failed);
  if (failed) return fail("{}: cannot be made: {}", logs.string(), failed.message());
  names_ = names;
  is_ending_ = false;
  for (const auto& name : names) {
    auto process = local::start_node({.name = name, .nats_url = nats_url_, .key_file = key_file_},
                                     logs / (name + ".log"));
    if (!process) {
      processes_.clear();
      return tl::unexpected(process.error());
    }
    processes_.push_back(*std::move(process));
  }
  return {};
}

}  // namespace submix::ui
