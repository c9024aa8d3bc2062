// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/effect_choice.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/plugin_search.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

constexpr float kCategoriesWidth = 170;
constexpr float kEffectsWidth = 470;
constexpr float kEffectsHeight = 430;
constexpr std::string_view kOwnShaders =
    "Shaders of your own (ISF, Shadertoy), NAME.fs or NAME.frag: put them into the media folder of "
    "the layer's PC, then restart submix-node there.";
constexpr float kEffectWidth = 112;  // of its picture
constexpr float kEffectHeight = 63;
constexpr float kLargeEffectWidth = 320;
constexpr float kStarRoom = 34;

using Effects = std::vector<const cluster::PluginSummary*>;

bool is_favourite(const cluster::PluginSummary& plugin, const Panel& panel) {
  return panel.state.editing->favourites.contains(plugin.id);
}

Effects all_effects(const Panel& panel) {
  Effects effects;
  for (const auto& [id, plugin] : plugins_of(panel)) {
    if (plugin.kind == "filter" && plugin.refused_because.empty()) effects.push_back(&plugin);
  }
  std::ranges::sort(effects, {}, [](const auto* each) { return title_of(each->id); });
  return effects;
}

bool is_in_category(const cluster::PluginSummary& plugin, const Panel& panel) {
  const auto& choice = panel.state.editing->effects;
  if (choice.is_of_favourites && !is_favourite(plugin, panel)) return false;
  return !choice.category || category_of(plugin) == *choice.category;
}

// The best match first; among equals the favourites, then by name. What the category does not have
// is looked for in all.
Effects find_effects(const Effects& all, const Panel& panel) {
  const auto& query = panel.state.editing->effects.query;
  Effects matching;
  std::ranges::copy_if(all, std::back_inserter(matching),
                       [&](const auto* each) { return has_words(*each, query); });
  Effects found;
  std::ranges::copy_if(matching, std::back_inserter(found),
                       [&](const auto* each) { return is_in_category(*each, panel); });
  if (found.empty() && !query.empty()) found = std::move(matching);
  std::ranges::stable_partition(found,
                                [&](const auto* each) { return is_favourite(*each, panel); });
  if (!query.empty())
    std::ranges::stable_sort(found, {}, [&](const auto* each) { return rank_of(*each, query); });
  return found;
}

// A new query chooses its best result, as does a choice that is no longer shown.
void keep_choice_shown(const Effects& found, EffectChoiceState& choice) {
  const bool is_new = choice.found_query != choice.query;
  choice.found_query = choice.query;
  const bool is_shown =
      std::ranges::any_of(found, [&](const auto* each) { return each->id == choice.chosen; });
  if (is_new || !is_shown) choice.chosen = found.empty() ? "" : found.front()->id;
}

// True: the choice has moved.
bool move_choice(const Effects& found, EffectChoiceState& choice) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int step = (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0);
  if (step == 0 || found.empty()) return false;
  const auto now = std::ranges::find(found, choice.chosen, &cluster::PluginSummary::id);
  const auto last = static_cast<std::ptrdiff_t>(found.size()) - 1;
  const auto place = std::clamp<std::ptrdiff_t>(now - found.begin() + step, 0, last);
  choice.chosen = found[static_cast<std::size_t>(place)]->id;
  return true;
}

void draw_star(ImVec2 middle, float radius, ImU32 color) {
  constexpr int kCorners = 10;
  std::array<ImVec2, kCorners> corners{};
  for (int i = 0; i < kCorners; ++i) {
    const float angle = std::numbers::pi_v<float> * (static_cast<float>(i) / 5 - 0.5F);
    const float far = i % 2 == 0 ? radius : radius * 0.42F;
    corners.at(static_cast<std::size_t>(i)) = {middle.x + far * std::cos(angle),
                                               middle.y + far * std::sin(angle)};
  }
  auto* draw = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < corners.size(); ++i)
    draw->AddTriangleFilled(middle, corners[i], corners[(i + 1) % corners.size()], color);
}

void change_favourite(const std::string& plugin, Panel& panel) {
  auto& favourites = panel.state.editing->favourites;
  if (favourites.erase(plugin) == 0) favourites.insert(plugin);
  panel.state.editing->effects.wants_keyboard = true;
}

// Larger, for a mouse at the picture.
void draw_large_effect(const cluster::PluginSummary& plugin, const model::EffectPictureKey& key,
                       Panel& panel) {
  ImGui::BeginTooltip();
  const auto* known = find_effect_picture(key, panel);
  if (known != nullptr && !known->error.empty()) {
    text(fmt::format("There is no picture of it: {}", known->error), color::kWarning);
  } else {
    const ImVec2 size(panel.px(kLargeEffectWidth), panel.px(kLargeEffectWidth * 9 / 16));
    draw_effect_picture(key, ImGui::GetCursorScreenPos(), size, panel);
    ImGui::Dummy(size);
    text(title_of(plugin.id));
  }
  ImGui::EndTooltip();
}

void draw_words(const cluster::PluginSummary& plugin, ImVec2 at, float room, Panel& panel) {
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginGroup();
  text_in(panel.fonts.strong, title_of(plugin.id));
  ImGui::SameLine();
  text(title_of(category_of(plugin)), color::kAccent);
  text_cut(plugin.explanation, room, color::kDim);
  ImGui::EndGroup();
}

// True: the effect is taken.
bool draw_found_effect(const cluster::PluginSummary& plugin, const show::Port& input,
                       Panel& panel) {
  auto& choice = panel.state.editing->effects;
  const ImVec2 picture(panel.px(kEffectWidth), panel.px(kEffectHeight));
  const float height = picture.y;
  const auto corner = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const bool is_pressed =
      ImGui::Selectable("##effect", plugin.id == choice.chosen, 0, ImVec2(0, height));
  const auto after = ImGui::GetCursorPos();
  const float star = room - panel.px(kStarRoom);
  const bool is_at_star = ImGui::IsItemHovered() && ImGui::GetIO().MousePos.x - corner.x > star;
  const bool is_at_picture =
      ImGui::IsItemHovered() && ImGui::GetIO().MousePos.x - corner.x < picture.x;
  const bool is_loved = is_favourite(plugin, panel);
  if (is_at_star)
    tooltip(is_loved ? "No longer a favourite" : "Make it a favourite: it comes first");
  draw_star({corner.x + star + panel.px(kStarRoom / 2), corner.y + height / 2}, panel.px(9),
            is_loved     ? color::kWarning
            : is_at_star ? color::kDim
                         : color::kFaint);
  const model::EffectPictureKey key{input.submix, input.slot, plugin.id};
  draw_effect_picture(key, corner, picture, panel);
  if (is_at_picture) draw_large_effect(plugin, key, panel);
  const float words = picture.x + panel.px(10);
  draw_words(plugin, {corner.x + words, corner.y + panel.px(10)}, star - words, panel);
  ImGui::SetCursorPos(after);
  if (is_pressed && is_at_star) change_favourite(plugin.id, panel);
  return is_pressed && !is_at_star;
}

// Empty: no effect was pressed. `follows`: the chosen one is to be seen.
std::optional<std::string> draw_found_effects(const Effects& found, const show::Port& input,
                                              bool follows, Panel& panel) {
  std::optional<std::string> taken;
  const float height = panel.px(kEffectHeight);
  ImGui::BeginChild("effects", ImVec2(panel.px(kEffectsWidth), panel.px(kEffectsHeight)));
  for (const auto* plugin : found) {
    ImGui::PushID(plugin->id.c_str());
    const bool is_seen = ImGui::IsRectVisible(ImVec2(1, height));
    if (follows && plugin->id == panel.state.editing->effects.chosen) ImGui::SetScrollHereY();
    if (is_seen) {
      if (draw_found_effect(*plugin, input, panel)) taken = plugin->id;
    } else {
      ImGui::Dummy(ImVec2(1, height));
    }
    ImGui::PopID();
  }
  if (found.empty()) text("No effect matches.", color::kDim);
  text_wrapped(kOwnShaders, color::kFaint);
  ImGui::EndChild();
  return taken;
}

void draw_category(const char* words, bool is_chosen, std::optional<Category> category,
                   bool is_of_favourites, Panel& panel) {
  if (!ImGui::Selectable(words, is_chosen, 0, ImVec2(0, panel.reach(0)))) return;
  panel.state.editing->effects.category = category;
  panel.state.editing->effects.is_of_favourites = is_of_favourites;
  panel.state.editing->effects.wants_keyboard = true;
}

void draw_categories(const Effects& all, Panel& panel) {
  const auto& choice = panel.state.editing->effects;
  ImGui::BeginChild("categories", ImVec2(panel.px(kCategoriesWidth), panel.px(kEffectsHeight)));
  draw_category("All", !choice.category && !choice.is_of_favourites, std::nullopt, false, panel);
  draw_category("Favourites", choice.is_of_favourites, std::nullopt, true, panel);
  rule();
  for (int at = 0; at < static_cast<int>(Category::count); ++at) {
    const auto category = static_cast<Category>(at);
    const auto is_of_it = [&](const auto* each) { return category_of(*each) == category; };
    if (std::ranges::none_of(all, is_of_it)) continue;
    draw_category(std::string(title_of(category)).c_str(), choice.category == category, category,
                  false, panel);
  }
  ImGui::EndChild();
}

}  // namespace

std::optional<std::string> draw_effect_choice(const show::Port& input, Panel& panel) {
  auto& choice = panel.state.editing->effects;
  if (ImGui::IsWindowAppearing()) choice.query.clear();
  if (ImGui::IsWindowAppearing() || std::exchange(choice.wants_keyboard, false))
    ask_for_keyboard(panel);
  ImGui::SetNextItemWidth(panel.px(kCategoriesWidth + kEffectsWidth) +
                          ImGui::GetStyle().ItemSpacing.x);
  const bool is_entered =
      ImGui::InputTextWithHint("##effect", "find an effect; arrows choose, Enter takes it",
                               &choice.query, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool is_typed_in = ImGui::IsItemActive();
  const auto all = all_effects(panel);
  draw_categories(all, panel);
  ImGui::SameLine();
  const auto found = find_effects(all, panel);
  keep_choice_shown(found, choice);
  const bool has_moved = is_typed_in && move_choice(found, choice);
  auto taken = draw_found_effects(found, input, has_moved, panel);
  if (is_entered && !choice.chosen.empty()) taken = choice.chosen;
  if (taken) choice.query.clear();
  return taken;
}

}  // namespace submix::ui
