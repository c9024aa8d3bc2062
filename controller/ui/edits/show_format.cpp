// SPDX-License-Identifier: GPL-3.0-or-later
// The show's size, rate and output chain. The consequences of a new format appear while it is
// typed.
#include "common/show/text.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"

#include <imgui_stdlib.h>

#include <array>

namespace submix::ui {
namespace {

Result<model::Edit> format_edit(const show::Show& show, const FormatDraft& draft) {
  const auto rate = show::parse_frame_rate(draft.rate);
  SUBMIX_TRY(rate);
  auto after = show;
  after.size = {draft.width, draft.height};
  after.rate = *rate;
  return model::difference(show, after,
                           fmt::format("show {}x{} at {}", draft.width, draft.height, draft.rate));
}

void draw_fields(FormatDraft& draft, Panel& panel) {
  std::array size{draft.width, draft.height};
  ImGui::SetNextItemWidth(panel.px(170));
  if (ImGui::InputInt2("size", size.data())) {
    draft.width = size[0];
    draft.height = size[1];
  }
  ImGui::SetNextItemWidth(panel.px(170));
  ImGui::InputText("frames per second", &draft.rate);
}

void draw_chain(Panel& panel) {
  const auto& show = *panel.view.show;
  ImGui::SetNextItemWidth(panel.px(170));
  const auto shown = show.output_chain.empty() ? std::string("none") : show.output_chain;
  if (!begin_combo("output chain", shown.c_str(), panel)) return;
  if (ImGui::Selectable("none", show.output_chain.empty()))
    edit_show(model::Edit(model::SetOutputChain{}), Gesture::none, panel);
  for (const auto& submix : show.submixes) {
    if (ImGui::Selectable(submix.name.c_str(), submix.name == show.output_chain))
      edit_show(model::Edit(model::SetOutputChain{submix.name}), Gesture::none, panel);
  }
  end_combo();
}

}  // namespace

void draw_format_panel(Panel& panel) {
  if (begin_panel("Show", panel.fonts)) {
    const auto& show = *panel.view.show;
    auto& kept = panel.state.editing->format;
    const FormatDraft present{show.size.width, show.size.height, show::to_string(show.rate)};
    auto draft = kept.value_or(present);
    draw_fields(draft, panel);
    const bool is_other = draft.width != present.width || draft.height != present.height ||
                          draft.rate != present.rate;
    kept = is_other ? std::optional(draft) : std::nullopt;
    draw_chain(panel);
    if (is_other) {
      const auto edit = format_edit(show, draft);
      draw_plan(edit, ImGui::GetContentRegionAvail().x, panel);
      if (ImGui::Button("Change the show")) edit_show(edit, Gesture::none, panel);
      ImGui::SameLine();
      if (ImGui::Button("Leave it")) kept.reset();
    }
  }
  end_panel();
}

}  // namespace submix::ui
