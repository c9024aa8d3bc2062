// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/ledger.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/exports.hpp"
#include "controller/ui/pages/ledger_state.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <array>

namespace submix::ui {
namespace {

using model::Balance;

/// The texts of the column "balance": words that need no manual.
struct BalanceWords {
  const char* word;
  ImU32 color;
  const char* explanation;
};

BalanceWords words_of(Balance balance) {
  switch (balance) {
    case Balance::exact:
      return {"balanced", color::kGood,
              "adds up to the frame: read at one moment, or nothing moves"};
    case Balance::bounded:
      return {"open", color::kAccent,
              "frames flow, and the two ends, read at different times, do not contradict each "
              "other; pause to see it add up"};
    case Balance::unknown:
      return {"unknown", color::kDim, "an end does not report"};
    case Balance::off:
      return {"off", color::kBad, "frames are missing, or there are too many"};
  }
  return {"", color::kDim, ""};
}

void number(std::uint64_t count, ImU32 paint = color::kText) {
  ImGui::TableNextColumn();
  text_right(fmt::format("{}", count), count == 0 ? color::kFaint : paint);
}

void draw_edge(const model::LedgerEdge& edge) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text(edge.is_stream ? "stream" : "slots", color::kFaint);
  ImGui::TableNextColumn();
  text_cut(edge.name, ImGui::GetContentRegionAvail().x);
  number(edge.produced);
  number(edge.delivered);
  for (const auto dropped :
       {edge.skipped_latest, edge.skipped_detached, edge.lost_with_epoch, edge.lost_in_gap})
    number(dropped, color::kWarning);
  number(edge.in_flight(), color::kDim);
  number(edge.replaced, color::kDim);
  ImGui::TableNextColumn();
  const auto balance = words_of(edge.balance);
  badge(balance.word, balance.color);
  tooltip(edge.remark.empty() ? balance.explanation : edge.remark);
}

constexpr std::array kHead{"",          "edge",     "produced",    "delivered",
                           "by latest", "detached", "by a change", "in a gap",
                           "in flight", "replaced", "balance"};
constexpr std::array kHeadHelp{
    "",
    "",
    "frames put into the edge",
    "frames taken by its reader",
    "dropped: replaced by a newer frame, by the policy latest",
    "dropped: replaced while the receiver was detached",
    "dropped: on their way when a change of the show ended their stream on purpose",
    "dropped: the receiver was restarted, and the sender no longer had them",
    "queued, on the way, or whole and waiting at the receiver",
    "pictures that the input showed for late frames; no part of the sum",
    "produced = delivered + dropped + in flight"};

void draw_ledger_head() {
  ImGui::TableNextRow();
  for (std::size_t i = 0; i < kHead.size(); ++i) {
    ImGui::TableNextColumn();
    const bool is_figure = i >= 2 && i + 1 < kHead.size();
    if (is_figure) {
      text_right(kHead.at(i), color::kFaint);
    } else {
      text(kHead.at(i), color::kFaint);
    }
    tooltip(kHeadHelp.at(i));
  }
}

void draw_table(const std::vector<model::LedgerEdge>& ledger, Panel& panel) {
  constexpr auto kFlags = ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("ledger", static_cast<int>(kHead.size()), kFlags,
                         ImGui::GetContentRegionAvail()))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthFixed, panel.px(52));
  ImGui::TableSetupColumn("edge", ImGuiTableColumnFlags_WidthStretch, 2.4F);
  for (int i = 0; i < 8; ++i)
    ImGui::TableSetupColumn("figure", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("balance", ImGuiTableColumnFlags_WidthFixed, panel.px(92));
  draw_ledger_head();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(ledger.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_edge(ledger[static_cast<std::size_t>(i)]);
  }
  ImGui::EndTable();
}

void draw_form(session::SaveLedger::Form form, const char* word, Panel& panel) {
  auto& state = *panel.state.ledger;
  if (ImGui::RadioButton(word, state.form == form)) {
    state.form = form;
    state.path.clear();
  }
  ImGui::SameLine();
}

void draw_saving(Panel& panel) {
  using Form = session::SaveLedger::Form;
  auto& state = *panel.state.ledger;
  draw_form(Form::csv, "CSV", panel);
  draw_form(Form::json, "JSON", panel);
  const auto& file = panel.view.ledger_file;
  const bool is_done = !file.is_saving && file.error.empty();
  // The next ledger goes to another file.
  if (is_done && state.path == file.path) state.path.clear();
  if (state.path.empty())
    state.path = export_path("submix-ledger", state.form == Form::csv ? ".csv" : ".json");
  const ExportOutcome outcome{
      file.is_saving, is_done ? std::string_view(file.path) : std::string_view(), file.error};
  if (draw_export(state.path, outcome, panel))
    panel.actions.emplace_back(session::SaveLedger{state.form, state.path});
}

void draw_verdict(const std::vector<model::LedgerEdge>& ledger) {
  const auto off = std::ranges::count(ledger, Balance::off, &model::LedgerEdge::balance);
  const auto unknown = std::ranges::count(ledger, Balance::unknown, &model::LedgerEdge::balance);
  const auto words = off > 0 ? fmt::format("{} of {} edges do not add up", off, ledger.size())
                     : unknown > 0
                         ? fmt::format("{} of {} edges are not known", unknown, ledger.size())
                         : fmt::format("all {} edges add up", ledger.size());
  panel_title_right(badge_width(words));
  badge(words, off > 0 ? color::kBad : unknown > 0 ? color::kDim : color::kGood);
}

void draw_ledger_content(Panel& panel) {
  if (begin_panel("Ledger: where every frame is", panel.fonts)) {
    if (panel.view.show == nullptr) {
      text("No show is applied.", color::kDim);
    } else {
      const auto ledger = model::make_ledger(panel.view);
      draw_verdict(ledger);
      draw_saving(panel);
      ImGui::PushFont(panel.fonts.small);
      draw_table(ledger, panel);
      ImGui::PopFont();
    }
  }
  end_panel();
}

}  // namespace

void draw_ledger_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  put({"ledger", {gap, 0}, {room.x - 2 * gap, room.y - gap}}, panel, draw_ledger_content);
}

}  // namespace submix::ui
