// SPDX-License-Identifier: GPL-3.0-or-later
// The plugins of the chosen submix's node, with a search field.
#include "controller/model/edit/patch_changes.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/plugin_search.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

constexpr float kLargeStillWidth = 320;

using Plugins = std::vector<cluster::PluginSummary>;
using SharedPlugins = std::shared_ptr<const Plugins>;

// Searches only if the list, the query or the favourites have changed. A new query selects its best
// result.
void find(const SharedPlugins& list, EditingState& editing) {
  auto& state = editing.browser;
  const auto& favourites = editing.favourites;
  if (state.list == list && state.found_query == state.query &&
      state.found_favourites == favourites)
    return;
  const auto& plugins = *list;
  const bool is_new_query = state.found_query != state.query;
  state.list = list;
  state.found_query = state.query;
  state.found_favourites = favourites;
  state.found.clear();
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    if (has_words(plugins[i], state.query)) state.found.push_back(i);
  }
  std::ranges::stable_partition(state.found,
                                [&](std::size_t i) { return favourites.contains(plugins[i].id); });
  if (!state.query.empty())
    std::ranges::stable_sort(state.found, {},
                             [&](std::size_t i) { return rank_of(plugins[i], state.query); });
  const auto is_chosen = [&](std::size_t i) { return plugins[i].id == state.chosen; };
  if (is_new_query || std::ranges::none_of(state.found, is_chosen))
    state.chosen = state.found.empty() ? "" : plugins[state.found.front()].id;
}

// The next plugin comes behind the new slot.
void insert(const std::string& plugin, Panel& panel) {
  insert_plugin(plugin, {panel.state.selected_submix, panel.state.editing->slot}, panel);
}

bool is_replacing(const Panel& panel) {
  const auto& replaced = panel.state.editing->browser.replaced;
  return !replaced.empty() && replaced == panel.state.editing->slot;
}

// Inserts the chosen plugin behind the chosen slot, or puts it in place of the slot's plugin.
void take(const std::string& plugin, Panel& panel) {
  const auto& list = *panel.state.editing->browser.list;
  const auto known = std::ranges::find(list, plugin, &cluster::PluginSummary::id);
  if (known != list.end() && !known->refused_because.empty()) {
    const auto why = fmt::format("{} cannot be used: {}", plugin, known->refused_because);
    panel.actions.emplace_back(session::Say{Severity::warning, "show", why});
    return;
  }
  if (!is_replacing(panel)) return insert(plugin, panel);
  const show::Port port{panel.state.selected_submix,
                        std::exchange(panel.state.editing->browser.replaced, std::string())};
  edit_show(model::replace_plugin(*panel.view.show, plugins_of(panel), port, plugin), Gesture::none,
            panel);
}

void move_choice(const Plugins& plugins, BrowserState& state) {
  const int step = (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow)) ? 1 : 0) -
                   (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow)) ? 1 : 0);
  if (step == 0 || state.found.empty()) return;
  const auto now = std::ranges::find_if(
      state.found, [&](std::size_t i) { return plugins[i].id == state.chosen; });
  const auto last = static_cast<std::ptrdiff_t>(state.found.size()) - 1;
  const auto place = std::clamp<std::ptrdiff_t>(now - state.found.begin() + step, 0, last);
  state.chosen = plugins[state.found[static_cast<std::size_t>(place)]].id;
}

void draw_query(const SharedPlugins& plugins, Panel& panel) {
  auto& state = panel.state.editing->browser;
  if (std::exchange(state.wants_focus, false)) ask_for_keyboard(panel);
  ImGui::SetNextItemWidth(-1);
  constexpr auto kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  const bool is_entered = ImGui::InputTextWithHint(
      "##query", "Find a plugin: a name, a kind, what it does", &state.query, kFlags);
  const bool is_typed_in = ImGui::IsItemActive();
  find(plugins, *panel.state.editing);
  if (is_typed_in) move_choice(*plugins, state);
  if (is_entered && !state.chosen.empty()) take(state.chosen, panel);
  if (is_entered)
    state.wants_focus = true;  // also without a result: the person goes on typing here
}

void draw_plugin_tooltip(const cluster::PluginSummary& plugin, Panel& panel) {
  if (!plugin.refused_because.empty()) return tooltip("Refused: " + plugin.refused_because);
  const ImVec2 size(panel.px(kLargeStillWidth), panel.px(kLargeStillWidth * 9 / 16));
  ImGui::BeginTooltip();
  if (draw_plugin_still(plugin.id, ImGui::GetCursorScreenPos(), size, panel)) ImGui::Dummy(size);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + size.x);
  text(plugin.explanation);
  text(plugin.author, color::kDim);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void draw_plugin(const cluster::PluginSummary& plugin, Panel& panel) {
  auto& state = panel.state.editing->browser;
  const bool is_refused = !plugin.refused_because.empty();
  ImGui::PushID(plugin.id.c_str());
  const auto place = ImGui::GetCursorScreenPos();
  const ImVec2 size(0, std::max(panel.reach(0), ImGui::GetTextLineHeight() * 2 + panel.px(10)));
  if (ImGui::Selectable("##plugin", plugin.id == state.chosen,
                        ImGuiSelectableFlags_AllowDoubleClick, size)) {
    state.chosen = plugin.id;
    if (ImGui::IsMouseDoubleClicked(0)) take(plugin.id, panel);
  }
  if (!is_refused) offer_drag(kPluginPayload, plugin.id, fmt::format("insert {} ...", plugin.id));
  const float right = ImGui::GetItemRectMax().x - panel.px(12);
  if (ImGui::IsItemHovered()) draw_plugin_tooltip(plugin, panel);
  const auto next = ImGui::GetCursorScreenPos();
  const ImVec2 still(std::round(size.y * 16 / 9), size.y);
  if (!is_refused) draw_plugin_still(plugin.id, place, still, panel);
  const float left = place.x + still.x + panel.px(8);
  const float room = right - left;
  ImGui::SetCursorScreenPos(ImVec2(left, place.y + panel.px(3)));
  text_in(panel.fonts.strong, plugin.id, is_refused ? color::kFaint : color::kText);
  ImGui::SameLine();
  text(is_refused ? "refused" : plugin.kind, is_refused ? color::kBad : color::kAccent);
  if (!is_refused && plugin.kind == "filter") {
    ImGui::SameLine();
    text(title_of(category_of(plugin)), color::kDim);
  }
  ImGui::SetCursorScreenPos(ImVec2(left, place.y + panel.px(5) + ImGui::GetTextLineHeight()));
  text_cut(is_refused ? plugin.refused_because : plugin.explanation, room, color::kDim);
  ImGui::SetCursorScreenPos(next);
  ImGui::PopID();
}

void draw_list(const Plugins& plugins, Panel& panel) {
  const auto& found = panel.state.editing->browser.found;
  ImGui::BeginChild("plugins", ImVec2(0, -ImGui::GetFrameHeightWithSpacing()));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_plugin(plugins[found[static_cast<std::size_t>(i)]], panel);
  }
  if (found.empty()) text("No plugin matches.", color::kDim);
  ImGui::EndChild();
  const auto& slot = panel.state.editing->slot;
  const float room = ImGui::GetContentRegionAvail().x;
  if (is_replacing(panel))
    text_cut(fmt::format("Enter or a double click replaces {}; Esc cancels.", slot), room,
             color::kWarning);
  else
    text_cut(fmt::format("Enter or a double click inserts it behind {}; or drag it.", slot), room,
             color::kFaint);
}

// The node is asked repeatedly; its last answer is shown meanwhile.
void ask(const std::string& node, Panel& panel) {
  auto& browser = panel.state.editing->browser;
  if (!browser.is_given_up && std::exchange(browser.asked_node, node) != node)
    panel.actions.emplace_back(session::AskPlugins{node});
}

void draw_asking(const std::string& node, Panel& panel) {
  if (panel.state.editing->browser.is_given_up) {
    panel.state.editing->browser.is_given_up = !ImGui::Button("Ask for the plugins");
    return;
  }
  text(fmt::format("Asking {} for its plugins ...", node), color::kDim);
  if (panel.view.plugin_errors == nullptr) return;
  const auto error = panel.view.plugin_errors->find(node);
  if (error == panel.view.plugin_errors->end()) return;
  ImGui::PushTextWrapPos(0);
  text(error->second, color::kWarning);
  ImGui::PopTextWrapPos();
}

}  // namespace

void draw_plugin_browser(Panel& panel) {
  if (begin_panel("Plugins", panel.fonts)) {
    if (!is_replacing(panel))
      panel.state.editing->browser.replaced.clear();  // another slot was chosen in the meantime
    const auto* submix = chosen_submix(panel);
    const auto* plugins = submix == nullptr ? nullptr : panel.view.find_plugin_list(submix->node);
    if (submix == nullptr || submix->node.empty()) {
      text("Let a node run this submix first: the plugins are the node's.", color::kDim);
    } else if (plugins == nullptr) {
      static const auto kNone = std::make_shared<const Plugins>();
      ask(submix->node, panel);
      draw_query(kNone, panel);  // typing counts before the answer comes, too
      draw_asking(submix->node, panel);
    } else {
      draw_query(SharedPlugins(panel.view.plugin_lists, plugins), panel);
      draw_list(*plugins, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
