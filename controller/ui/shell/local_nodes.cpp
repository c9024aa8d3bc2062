// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/local_nodes.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/show/text.hpp"
#include "controller/local/last_line.hpp"
#include "controller/local/start_node.hpp"
#include "controller/model/edit/new_show.hpp"
#include "controller/model/view/output_views.hpp"
#include "controller/ui/edits/this_pc.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"

#include <SDL_video.h>

#include <algorithm>
#include <cctype>
#include <chrono>
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

bool is_healthy(const model::ClusterView& view, const std::string& name) {
  return view.find_healthy_node(name) != nullptr;
}

// "pc-2", "pc-3", …
std::string free_name(const std::string& name, const model::ClusterView& view) {
  for (int number = 2;; ++number) {
    auto other = fmt::format("{}-{}", name, number);
    if (view.find_node(other) == nullptr) return other;
  }
}

// By then the cluster's show and nodes are known.
bool is_settled(const model::ClusterView& view) {
  constexpr std::chrono::seconds kSettling{2};
  return view.connection == model::ConnectionState::connected &&
         view.now - view.connection_since > kSettling;
}

// Of several displays the second one is for the audience. On the only display the output stands
// beside the controls. Where there is no room, it would cover them: FULL SCREEN makes one when it is
// wanted.
show::Show first_show(const std::vector<std::string>& nodes, const Window& window) {
  model::NewShow wanted;
  wanted.name = "first show";
  wanted.nodes = nodes;
  const bool has_second = SDL_GetNumVideoDisplays() > 1;
  const auto beside = has_second ? std::nullopt : window.place_beside(wanted.size);
  wanted.has_window = has_second || beside;
  auto show = model::make_show(wanted);
  for (auto& slot : show.submixes.back().slots) {
    if (slot.plugin != model::kWindowPlugin) continue;
    if (has_second) slot.parameters["display"] = 1.0;
    if (!beside) continue;
    slot.parameters["left"] = static_cast<double>(beside->x);
    slot.parameters["top"] = static_cast<double>(beside->y);
    slot.parameters["width"] = static_cast<double>(beside->size.width);
  }
  return show;
}

std::filesystem::path log_of(const std::string& name) {
  return state_home() / "logs" / (name + ".log");
}

}  // namespace

std::string usual_node_name() {
  auto name = host_name().substr(0, host_name().find('.'));
  std::ranges::transform(name, name.begin(), [](char c) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return show::is_name(std::string("a") + lower) ? lower : '-';
  });
  return show::is_name(name) ? name : "pc";
}

void LocalNodes::tend(const model::ClusterView& view, const Window& window, PanelState& state,
                      std::vector<session::Action>& actions) {
  auto& page = *state.local_nodes;
  tend_own(view, page);
  page.is_own_running = own_.has_value();
  if (std::exchange(page.are_to_end, false)) {
    page.is_start_over = true;
    end();
  }
  start_wanted(view, state);
  drop_ended(view, state);
  page.running.clear();
  for (const auto& node : running_)
    page.running.push_back(node.name);
  page.are_started = !running_.empty();
  const bool is_awaited = needs_show_ || !page.is_start_over;
  const auto is_there = [&](const std::string& name) { return is_healthy(view, name); };
  if (!is_awaited || running_.empty() || !std::ranges::all_of(names_, is_there)) return;
  page.is_start_over = true;
  if (!needs_show_) return;
  needs_show_ = false;
  if (view.show != nullptr) return;
  actions.emplace_back(
      session::BeginShow{std::make_shared<const show::Show>(first_show(names_, window))});
}

void LocalNodes::start_wanted(const model::ClusterView& view, PanelState& state) {
  auto& page = *state.local_nodes;
  const bool is_due = page.are_wanted && is_settled(view);
  if (is_due) {
    page.are_wanted = false;
    needs_show_ = view.show == nullptr;
    names_ = names_for(view);
    page.names = names_;
    page.is_start_over = false;
  }
  const auto wanted = is_due ? names_ : std::exchange(page.to_start, {});
  if (wanted.empty()) return;
  const auto started = start(wanted, view);
  page.error = started ? "" : started.error().message;
  if (!started) state.notice = OwnNotice{page.error, view.now};
}

void LocalNodes::drop_ended(const model::ClusterView& view, PanelState& state) {
  auto& page = *state.local_nodes;
  std::erase_if(running_, [&](Node& node) {
    const auto status = node.process.exit_status();
    if (!status) return false;
    page.is_start_over = true;
    if (!is_ending_) {
      page.error = fmt::format("{} ended by itself (status {}): {}", node.name, *status,
                               local::last_line(log_of(node.name)));
      state.notice = OwnNotice{page.error, view.now};
    }
    return true;
  });
}

// A node of this name may run as a service. If it ends by itself, a person must look: it is not
// started again.
void LocalNodes::tend_own(const model::ClusterView& view, LocalNodesState& page) {
  if (own_) {
    const auto status = own_->exit_status();
    if (!status) {
      if (own_name_ != page.own) own_->send_signal(SIGTERM);
      return;
    }
    own_.reset();
    if (own_name_ == page.own)
      page.own_error =
          fmt::format("{} has ended: {}", page.own, local::last_line(log_of(page.own)));
  }
  if (own_name_ == page.own || (!page.own.empty() && !is_settled(view))) return;
  own_name_ = page.own;
  page.own_error.clear();
  if (own_name_.empty()) return;
  if (is_healthy(view, own_name_)) {
    if (is_on_this_pc(*view.find_node(own_name_))) return;
    if (own_name_ == usual_node_name())
      page.own = free_name(own_name_, view);  // two PCs may have the same host name
    else
      page.own_error = fmt::format("another PC plays as {}: choose another name", own_name_);
    return;
  }
  auto process = start_one(own_name_);
  if (process)
    own_ = *std::move(process);
  else
    page.own_error = process.error().message;
}

// tend() notices later that they have ended: the window does not wait for them.
void LocalNodes::end() {
  is_ending_ = true;
  needs_show_ = false;
  for (auto& node : running_)
    node.process.send_signal(SIGTERM);
}

Result<ChildProcess> LocalNodes::start_one(const std::string& name) const {
  const auto log = log_of(name);
  std::error_code failed;
  std::filesystem::create_directories(log.parent_path(), failed);
  if (failed) return fail("{}: cannot be made: {}", log.parent_path().string(), failed.message());
  return local::start_node({.name = name, .nats_url = nats_url_, .key_file = key_file_}, log);
}

Result<void> LocalNodes::start(const std::vector<std::string>& names,
                               const model::ClusterView& view) {
  is_ending_ = false;
  for (const auto& name : names) {
    const bool runs = std::ranges::find(running_, name, &Node::name) != running_.end();
    if (runs || is_healthy(view, name)) continue;
    auto process = start_one(name);
    SUBMIX_TRY(process);
    running_.push_back({name, *std::move(process)});
  }
  return {};
}

}  // namespace submix::ui
