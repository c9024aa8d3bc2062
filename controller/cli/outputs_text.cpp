// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/outputs_text.hpp"

#include "common/show/text.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace submix::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string wanted_text(const model::OutputView& output) {
  return output.screen.empty() ? fmt::format("display {}", output.number) : output.screen;
}

std::string shown_text(const model::OutputView& output) {
  if (output.state != model::SubmixState::running) return std::string(to_string(output.state));
  return output.is_fullscreen ? "full screen" : "window";
}

Table displays_table(const std::vector<model::NodeView>& nodes) {
  Table table({"NODE", ">NUMBER", "DISPLAY", "MODE", "CORNER"});
  for (const auto& node : nodes) {
    for (std::size_t number = 0; number < node.displays.size(); ++number) {
      const auto& display = node.displays[number];
      table.add({node.name, std::to_string(number), display.name, mode_text(display),
                 fmt::format("{},{}", display.x, display.y)});
    }
  }
  return table;
}

Table outputs_table(const std::vector<model::OutputView>& outputs) {
  Table table({"OUTPUT", "NODE", "ASKS FOR", "IS ON", "AS", ">FPS"});
  for (const auto& output : outputs) {
    table.add({show::to_string(output.slot), output.node.empty() ? "-" : output.node,
               wanted_text(output), output.display ? output.display->name : "-", shown_text(output),
               fmt::format("{:.1f}", output.fps)});
  }
  return table;
}

Json json_of(const model::OutputView& output) {
  return {{"output", show::to_string(output.slot)},
          {"node", output.node},
          {"wanted", {{"name", output.screen}, {"number", output.number}}},
          {"display", output.display ? Json(output.display->name) : Json(nullptr)},
          {"is_full_screen", output.is_fullscreen},
          {"state", to_string(output.state)},
          {"fps", output.fps},
          {"trouble", output.trouble}};
}

}  // namespace

std::string outputs_text(const DisplaysAndOutputs& all) {
  const auto displays = displays_table(all.nodes);
  const auto outputs = outputs_table(all.outputs);
  std::string text = displays.is_empty()
                         ? "no node tells of a display; a node tells of those of the session that "
                           "it is started in\n"
                         : displays.text();
  text += "\n";
  text += outputs.is_empty() ? "the show has no output: no slot has the plugin \"window\"\n"
                             : outputs.text();
  for (const auto& output : all.outputs) {
    if (!output.trouble.empty())
      text += fmt::format("{}: {}\n", show::to_string(output.slot), output.trouble);
  }
  return text;
}

std::string outputs_json(const DisplaysAndOutputs& all) {
  auto displays = Json::array();
  for (const auto& node : all.nodes) {
    for (std::size_t number = 0; number < node.displays.size(); ++number) {
      const auto& display = node.displays[number];
      displays.push_back({{"node", node.name},
                          {"number", number},
                          {"name", display.name},
                          {"x", display.x},
                          {"y", display.y},
                          {"width", display.size.width},
                          {"height", display.size.height},
                          {"refresh_hz", display.refresh_hz}});
    }
  }
  auto outputs = Json::array();
  for (const auto& output : all.outputs)
    outputs.push_back(json_of(output));
  const Json whole{{"displays", std::move(displays)}, {"outputs", std::move(outputs)}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace submix::cli
