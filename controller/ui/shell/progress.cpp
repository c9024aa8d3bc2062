// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/progress.hpp"

#include "controller/model/view/timeline.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace submix::ui {
namespace {

using Cancel = LongAction::Cancel;
constexpr std::string_view kNoFile = "Leaves no file; the part already written is deleted";

/// How many of several things are done.
struct Count {
  std::size_t done = 0;
  std::size_t all = 0;

  [[nodiscard]] bool is_complete() const { return done == all; }
  [[nodiscard]] double share() const {
    return all == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
  }
};

// All submixes of the present nodes, and how many of them run as the present show says, or cannot
// run.
Count taken_up(const model::ClusterView& view) {
  Count count;
  for (const auto& submix : view.submixes) {
    const auto* node = view.find_present_node(submix.node);
    if (node == nullptr || submix.state == model::SubmixState::in_others) continue;
    ++count.all;
    const bool is_settled =
        submix.state == model::SubmixState::running || submix.state == model::SubmixState::failed;
    if (is_settled && node->show_revision >= view.show_revision) ++count.done;
  }
  return count;
}

bool may_be_taken_up(const model::ClusterView& view, const ProgressState& progress) {
  return view.edit.is_own && !view.edit.is_writing &&
         progress.taken_up_revision != view.show_revision;
}

// Moved faders are not shown: they go on for hours, and undo would revert something else.
void add_edit(const model::ClusterView& view, const ProgressState& progress,
              std::vector<LongAction>& actions) {
  const auto& edit = view.edit;
  if (edit.writing_step == 0) return;
  const bool is_taken_up = may_be_taken_up(view, progress);
  if (!edit.is_writing && !is_taken_up) return;
  const auto count = is_taken_up ? taken_up(view) : Count();
  if (is_taken_up && count.is_complete()) return;
  LongAction action{
      .what = edit.writing_title.empty() ? "The new show" : edit.writing_title,
      .how_far = "on its way to the cluster",
      .share = std::nullopt,
      .cancel_words = "It cannot be undone: it is an undo itself, or the cluster's first show"};
  if (is_taken_up) {
    action.how_far = fmt::format("{} of {} submixes run the new show", count.done, count.all);
    action.share = count.share();
  }
  if (edit.writing_step == edit.undo_step) {
    action.cancel = Cancel::undo;
    action.cancel_words = fmt::format("Undoes it: {}", edit.undo_title);
  }
  actions.push_back(std::move(action));
}

void add_files(const model::ClusterView& view, std::vector<LongAction>& actions) {
  if (!view.file.opening.empty())
    actions.push_back({"Opening " + file_name_of(view.file.opening),
                       "the file is being read, and its clips are looked for", std::nullopt,
                       Cancel::open, "Leaves the show as it is"});
  if (view.file.is_saving)
    actions.push_back({"Saving the show", "the disk has not answered yet", std::nullopt,
                       Cancel::saves,
                       "Cancels the saves that wait; the file being written is completed"});
  if (view.ledger_file.is_saving)
    actions.push_back({"Saving " + file_name_of(view.ledger_file.path),
                       "the disk has not answered yet", std::nullopt, Cancel::exports,
                       std::string(kNoFile)});
}

void add_question(const model::ClusterView& view, const BrowserState& browser,
                  std::vector<LongAction>& actions) {
  const auto& node = browser.asked_node;
  if (view.find_present_node(node) == nullptr || view.find_plugin_list(node) != nullptr) return;
  const bool has_failed = view.plugin_errors != nullptr && view.plugin_errors->contains(node);
  actions.push_back({fmt::format("Asking {} for its plugins", node),
                     has_failed ? "the node failed to answer, and is asked again"
                                : "the node has not answered yet",
                     std::nullopt, Cancel::plugins,
                     "Stops asking; the plugins' panel can ask again"});
}

void add_trace(const model::ClusterView& view, std::vector<LongAction>& actions) {
  if (view.trace == nullptr) return;
  const auto& trace = *view.trace;
  using State = model::TraceView::State;
  const Count count{trace.nodes_answered, trace.nodes};
  if (trace.state == State::asking || trace.state == State::merging)
    actions.push_back({"Taking a trace",
                       trace.state == State::merging
                           ? std::string("putting the nodes together")
                           : fmt::format("{} of {} nodes have answered", count.done, count.all),
                       count.share(), Cancel::trace, "Keeps the trace before"});
  if (trace.is_saving)
    actions.push_back({"Saving the trace", "the disk has not answered yet", std::nullopt,
                       Cancel::exports, std::string(kNoFile)});
}

void add_copies(const model::ClusterView& view, std::vector<LongAction>& actions) {
  for (const auto& copy : view.media_copies) {
    LongAction action{.what = fmt::format("Copying {} to {}", copy.file, copy.node),
                      .how_far = "waits",
                      .share = std::nullopt,
                      .cancel = Cancel::copies,
                      .cancel_words = "Ends all copies; a later one goes on where this one ended"};
    if (copy.bytes_all > 0) {
      action.share = static_cast<double>(copy.bytes) / static_cast<double>(copy.bytes_all);
      action.how_far = fmt::format("{} of {}", bytes_text(copy.bytes), bytes_text(copy.bytes_all));
    }
    actions.push_back(std::move(action));
  }
}

// Only until the nodes have started. Later failures are alerts, and no reason to end a show.
void add_local_nodes(const model::ClusterView& view, const LocalNodesState& nodes,
                     std::vector<LongAction>& actions) {
  if (!nodes.are_started || nodes.is_start_over || nodes.names.empty()) return;
  Count count{0, nodes.names.size()};
  for (const auto& name : nodes.names) {
    if (view.find_healthy_node(name) != nullptr) ++count.done;
  }
  if (count.is_complete()) return;
  actions.push_back({"Starting the show on this PC",
                     fmt::format("{} of {} are there", count.done, count.all), count.share(),
                     Cancel::nodes, "Ends what this window has started"});
}

}  // namespace

std::vector<LongAction> actions_under_way(const model::ClusterView& view, const PanelState& state) {
  std::vector<LongAction> actions;
  if (view.connection == model::ConnectionState::connecting)
    actions.push_back({"Connecting to the server",
                       view.connection_text.empty() ? "nobody answers" : view.connection_text,
                       std::nullopt, Cancel::quit,
                       "Quits: without the server the window has nothing to show"});
  add_local_nodes(view, *state.local_nodes, actions);
  add_files(view, actions);
  add_edit(view, *state.progress, actions);
  add_trace(view, actions);
  add_copies(view, actions);
  add_question(view, state.editing->browser, actions);
  return actions;
}

void follow(const std::vector<LongAction>& actions, const model::ClusterView& view,
            ProgressState& progress) {
  if (may_be_taken_up(view, progress) && taken_up(view).is_complete())
    progress.taken_up_revision = view.show_revision;
  std::erase_if(progress.begun, [&](const auto& begun) {
    return std::ranges::find(actions, begun.what, &LongAction::what) == actions.end();
  });
  for (const auto& action : actions) {
    if (std::ranges::find(progress.begun, action.what, &ProgressState::Begun::what) ==
        progress.begun.end())
      progress.begun.push_back({action.what, view.now});
  }
}

LocalTime begin_of(const LongAction& action, const ProgressState& progress) {
  const auto found = std::ranges::find(progress.begun, action.what, &ProgressState::Begun::what);
  return found == progress.begun.end() ? LocalTime::max() : found->at;  // not begun yet
}

}  // namespace submix::ui
