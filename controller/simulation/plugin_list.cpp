// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/simulation/plugin_list.hpp"

#include "common/show/macros.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace submix::simulation {
namespace {

using Parameters = std::vector<cluster::ParameterSummary>;

std::vector<cluster::PluginSummary> known_plugins() {
  const auto plugin = [](std::string id, std::string kind, std::string explanation,
                         Parameters parameters = {}, std::string memory = "none") {
    if (kind == "filter")
      parameters.insert(parameters.begin(),
                        {"wet", "number", "How much of the effect is seen", 1.0, 0.0, 1.0});
    return cluster::PluginSummary{.id = std::move(id),
                                  .kind = std::move(kind),
                                  .explanation = "Simulated: " + std::move(explanation),
                                  .author = "submix simulate",
                                  .parameters = std::move(parameters),
                                  .refused_because = {},
                                  .memory = std::move(memory)};
  };
  return {
      plugin("pattern", "source", "moving bands",
             {{"speed", "number", "Bands a second", 1.0, 0.0, 10.0}}),
      plugin("frei0r/plasma", "source", "plasma",
             {{"1_speed", "number", "Of the first wave", 0.2, 0.0, 1.0}}),
      plugin("frei0r/ising0r", "source", "magnets",
             {{"Temperature", "number", "Disorder", 0.5, 0.0, 1.0}}),
      plugin("frei0r/lissajous0r", "source", "a curve",
             {{"ratiox", "number", "Of the x axis", 0.1, 0.0, 1.0}}),
      plugin("frei0r/glow", "filter", "light that spreads",
             {{"Blur", "number", "How far", 0.5, 0.0, 1.0}}),
      plugin("frei0r/distort0r", "filter", "waves",
             {{"Amplitude", "number", "How high", 0.2, 0.0, 1.0},
              {"Frequency", "number", "How many", 0.1, 0.0, 1.0}},
             "frames"),
      plugin("frei0r/tint0r", "filter", "two colours instead of all",
             {{"Map black to", "colour", "The dark end", std::vector<double>{0, 0, 0}, 0.0, 1.0},
              {"Map white to", "colour", "The light end", std::vector<double>{1, 1, 1}, 0.0, 1.0},
              {"Tint amount", "number", "How much", 0.5, 0.0, 1.0}}),
      plugin("frei0r/pixeliz0r", "filter", "larger pixels",
             {{"Block width", "number", "Of the width", 0.1, 0.0, 1.0}}),
      plugin("frei0r/invert0r", "filter", "the other way round"),
      plugin("frei0r/screen", "mixer2", "adds light"),
      plugin("frei0r/addition", "mixer2", "adds"),
      plugin("frei0r/blend", "mixer2", "both",
             {{"blend", "number", "Of the second", 0.5, 0.0, 1.0}}),
      plugin("frei0r/xfade0r", "mixer2", "one or the other",
             {{"fader", "number", "To the second", 0.5, 0.0, 1.0}}),
      plugin("stream-in", "source", "a stream's frames"),
      plugin("stream-out", "output", "frames for streams"),
      plugin("window", "output", "what an audience would see",
             {{"screen", "text", "Name of the display", std::string()},
              {"display", "number", "Number of the display", 0.0, 0.0, 15.0, {}, true},
              {"fullscreen", "switch", "Whole display", false}}),
      plugin("null", "output", "nothing"),
  };
}

const char* type_of(const show::ParameterValue& value) {
  constexpr std::array kTypes{"switch", "number", "text", "colour"};
  return kTypes.at(value.index());
}

void add_parameters(cluster::PluginSummary& plugin, const show::Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (std::ranges::find(plugin.parameters, name, &cluster::ParameterSummary::name) !=
        plugin.parameters.end())
      continue;
    plugin.parameters.push_back(
        {name, type_of(value), "Simulated: as the show has it", value, 0.0, 1.0});
  }
}

}  // namespace

std::vector<cluster::PluginSummary> plugins_for(const show::Show& show) {
  std::map<std::string, cluster::PluginSummary> plugins;
  for (auto& plugin : known_plugins())
    plugins.emplace(plugin.id, plugin);
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      if (slot.plugin.empty() || slot.plugin.starts_with(show::kMacroPrefix)) continue;
      auto& plugin = plugins[slot.plugin];
      if (plugin.id.empty()) {
        plugin.id = slot.plugin;
        plugin.kind = slot.inputs && slot.inputs->size() == 2 ? "mixer2" : "filter";
        plugin.explanation = "Simulated: " + slot.plugin;
      }
      add_parameters(plugin, slot.parameters);
    }
  }
  std::vector<cluster::PluginSummary> list;
  for (auto& [id, plugin] : plugins)
    list.push_back(std::move(plugin));
  return list;
}

}  // namespace submix::simulation
