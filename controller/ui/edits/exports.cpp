// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/exports.hpp"

#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace submix::ui {

std::string export_path(std::string_view stem, std::string_view ending) {
  const char* home = std::getenv("HOME");
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  const auto name = fmt::format("{}-{:04}{:02}{:02}-{:02}{:02}{:02}{}", stem, parts.tm_year + 1900,
                                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                                parts.tm_sec, ending);
  std::error_code none;
  const auto folder =
      home == nullptr ? std::filesystem::current_path(none) : std::filesystem::path(home);
  return (folder / name).string();
}

bool draw_export(std::string& path, const ExportOutcome& outcome, Panel& panel) {
  ImGui::PushID("export");
  ImGui::SetNextItemWidth(panel.px(330));
  const bool is_entered = ImGui::InputText("##path", &path, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool is_pressed = ImGui::Button("Save") || is_entered;
  ImGui::PopID();
  if (outcome.is_saving) {
    ImGui::SameLine();
    text("saving ...", color::kDim);
  } else if (!outcome.error.empty()) {
    ImGui::SameLine();
    text_cut(outcome.error, ImGui::GetContentRegionAvail().x, color::kBad);
  } else if (!outcome.saved_as.empty()) {
    ImGui::SameLine();
    text_cut(fmt::format("written: {}", outcome.saved_as), ImGui::GetContentRegionAvail().x,
             color::kGood);
  }
  return is_pressed && !outcome.is_saving && !path.empty();
}

}  // namespace submix::ui
