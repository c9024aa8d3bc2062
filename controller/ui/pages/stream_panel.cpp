// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen stream: its policy when an end is late, its links and cards, its transparency,
// checksum and encryption.
#include "common/show/lookup.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace submix::ui {
namespace {

constexpr float kFieldWidth = 170;

const model::NodeView* node_of(const Panel& panel, const std::string& submix_name) {
  const auto* submix = panel.view.show->find_submix(submix_name);
  return submix == nullptr ? nullptr : panel.view.find_node(submix->node);
}

void draw_name(const show::Stream& stream, Panel& panel) {
  auto typed = panel.state.texts.try_emplace("name of stream " + stream.name, stream.name).first;
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  const bool is_entered =
      ImGui::InputText("name", &typed->second, ImGuiInputTextFlags_EnterReturnsTrue);
  if (is_entered && typed->second != stream.name &&
      edit_show(model::rename_stream(*panel.view.show, stream.name, typed->second), Gesture::none,
                panel))
    panel.state.editing->wanted_stream = typed->second;
  if (!ImGui::IsItemActive()) panel.state.texts.erase(typed);
}

void draw_policy(const show::Stream& stream, Panel& panel) {
  using Policy = show::InputPolicy;
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  if (begin_combo("when an end is late", std::string(show::to_string(stream.policy)).c_str(),
                  panel)) {
    for (const auto policy :
         {Policy::wait, Policy::hold, Policy::black, Policy::standby, Policy::latest}) {
      const std::string word(show::to_string(policy));
      if (ImGui::Selectable(word.c_str(), policy == stream.policy) && policy != stream.policy)
        edit_show(model::Edit(model::SetPolicy{stream.name, policy}), Gesture::none, panel);
    }
    end_combo();
  }
  int budget = static_cast<int>(stream.pause_budget.count());
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  if (ImGui::InputInt("ms it may hold up", &budget, 50, 500,
                      ImGuiInputTextFlags_EnterReturnsTrue)) {
    const std::chrono::milliseconds wanted(
        std::clamp<std::int64_t>(budget, 0, show::kPauseBudgetMax.count()));
    edit_show(model::Edit(model::SetPolicy{stream.name, stream.policy, wanted}), Gesture::none,
              panel);
  }
}

void draw_links(const show::Stream& stream, Panel& panel) {
  int links = stream.link_count;
  ImGui::BeginDisabled(!stream.routes.empty());
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  if (ImGui::InputInt("links", &links, 1, 1, ImGuiInputTextFlags_EnterReturnsTrue))
    edit_show(model::Edit(model::SetLinks{stream.name, std::clamp(links, 1, show::kLinksMax)}),
              Gesture::none, panel);
  ImGui::EndDisabled();
}

void draw_checks(const show::Stream& stream, Panel& panel) {
  bool has_checksum = stream.checksum != Checksum::none;
  ImGui::BeginDisabled(stream.is_encrypted);  // encryption checks each piece
  if (ImGui::Checkbox("check each piece (xxh3)", &has_checksum)) {
    edit_show(model::set_checksum(*panel.view.show, stream.name,
                                  has_checksum ? Checksum::xxh3 : Checksum::none),
              Gesture::none, panel);
  }
  ImGui::EndDisabled();
  bool is_encrypted = stream.is_encrypted;
  if (ImGui::Checkbox("encrypted between PCs", &is_encrypted))
    edit_show(model::set_encryption(*panel.view.show, stream.name, is_encrypted), Gesture::none,
              panel);
  bool has_alpha = stream.pixels == PixelFormat::rgba;
  if (ImGui::Checkbox("with transparency (RGBA)", &has_alpha)) {
    edit_show(model::set_pixels(*panel.view.show, stream.name,
                                has_alpha ? PixelFormat::rgba : PixelFormat::rgb24),
              Gesture::none, panel);
  }
  bool is_local_allowed = stream.is_local_allowed;
  if (ImGui::Checkbox("by shared memory on one machine", &is_local_allowed))
    edit_show(model::set_local(*panel.view.show, stream.name, is_local_allowed), Gesture::none,
              panel);
}

// Cards.

std::vector<std::string> addresses_of(const model::NodeView* node, bool is_sender) {
  std::vector<std::string> addresses;
  if (node == nullptr) return addresses;
  for (const auto& card : node->interfaces) {
    if (is_sender && card.is_up) addresses.push_back(card.address);
  }
  for (const auto& end : node->endpoints) {
    if (!is_sender) addresses.push_back(end.address);
  }
  return addresses;
}

void set_routes(const show::Stream& stream, std::vector<LinkRoute> routes, Panel& panel) {
  const int count = routes.empty() ? stream.link_count : static_cast<int>(routes.size());
  edit_show(model::Edit(model::SetLinks{stream.name, count, std::move(routes)}), Gesture::none,
            panel);
}

// True: another address was chosen.
bool draw_address(const char* id, std::string& address, const std::vector<std::string>& addresses,
                  Panel& panel) {
  bool has_changed = false;
  ImGui::SetNextItemWidth(panel.px(124));
  if (!begin_combo(id, address.c_str(), panel)) return false;
  for (const auto& each : addresses) {
    if (ImGui::Selectable(each.c_str(), each == address) && each != address) {
      address = each;
      has_changed = true;
    }
  }
  end_combo();
  return has_changed;
}

void draw_routes(const show::Stream& stream, Panel& panel) {
  const auto own = addresses_of(node_of(panel, stream.from.submix), true);
  const auto theirs = addresses_of(node_of(panel, stream.to.submix), false);
  auto routes = stream.routes;
  bool has_changed = false;
  for (std::size_t i = 0; i < stream.routes.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    has_changed = draw_address("##from", routes[i].from, own, panel) || has_changed;
    ImGui::SameLine();
    has_changed = draw_address("##to", routes[i].to, theirs, panel) || has_changed;
    ImGui::SameLine();
    const bool is_removed = ImGui::Button("x");
    ImGui::PopID();
    if (!is_removed) continue;
    routes.erase(routes.begin() + static_cast<std::ptrdiff_t>(i));
    return set_routes(stream, std::move(routes), panel);
  }
  if (stream.routes.empty()) text("Cards are paired by subnet, then in order.", color::kDim);
  const bool can_add =
      !own.empty() && !theirs.empty() && routes.size() < static_cast<std::size_t>(show::kLinksMax);
  ImGui::BeginDisabled(!can_add);
  if (ImGui::Button("Name the cards of a link")) {
    routes.push_back({own[routes.size() % own.size()], theirs[routes.size() % theirs.size()]});
    has_changed = true;
  }
  ImGui::EndDisabled();
  if (has_changed) set_routes(stream, std::move(routes), panel);
}

// The rate that the stream needs and the capacity of its cards, in the present show.
void draw_needs(const show::Stream& stream, Panel& panel) {
  const double needs = show::mb_per_second(*panel.view.show, stream);
  text(fmt::format("{} {} {}", show::to_string(stream.from), panel.fonts.arrow,
                   show::to_string(stream.to)),
       color::kDim);
  text(fmt::format("needs {:.0f} MB/s", needs), color::kDim);
}

void draw_stream(const show::Stream& stream, Panel& panel) {
  draw_needs(stream, panel);
  ImGui::BeginDisabled(panel.state.editing->is_bay_locked);
  draw_name(stream, panel);
  draw_policy(stream, panel);
  draw_links(stream, panel);
  draw_routes(stream, panel);
  draw_checks(stream, panel);
  if (ImGui::Button("Delete the stream"))
    edit_show(model::delete_stream(*panel.view.show, stream.name), Gesture::none, panel);
  ImGui::EndDisabled();
}

}  // namespace

void draw_stream_panel(Panel& panel) {
  if (begin_panel("Chosen stream", panel.fonts)) {
    const auto& streams = panel.view.show->streams;
    choose_once_there(panel.view.show->find_stream(panel.state.editing->wanted_stream) != nullptr,
                      panel.state.editing->wanted_stream, panel.state.selected_stream);
    const auto* stream = panel.view.show->find_stream(panel.state.selected_stream);
    if (stream == nullptr && !streams.empty()) {
      stream = &streams.front();
      panel.state.selected_stream = stream->name;
    }
    if (stream == nullptr) {
      text("No stream yet.", color::kDim);
    } else {
      draw_stream(*stream, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
