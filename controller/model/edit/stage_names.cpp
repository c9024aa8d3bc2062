// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/stage_names.hpp"

#include "common/show/text.hpp"
#include "controller/model/edit/performing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <variant>

namespace submix::model {
namespace {

struct StageText {
  const std::vector<Layer>& layers;

  std::string operator()(const show::CueParameter& change) const {
    return fmt::format("{} {}", stage_name(layers, change.slot, change.parameter),
                       stage_value(change.value));
  }
  std::string operator()(const show::CueKnob& change) const {
    return fmt::format("{} {:.3g}", change.knob, change.value);
  }
  std::string operator()(const show::CuePreset& change) const { return "preset " + change.preset; }
  std::string operator()(const show::CueBypass& change) const {
    return fmt::format("{} {} {}", change.slot.submix, change.slot.slot,
                       change.is_bypassed ? "off" : "on");
  }
  std::string operator()(const show::CueAssign& change) const {
    return change.node.empty() ? change.submix + " stops"
                               : fmt::format("{} runs on {}", change.submix, change.node);
  }
};

bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
}

// Replaces `place` and the parameter behind it by their name.
std::string named_behind(std::string text, const std::string& place, const show::Port& slot,
                         const std::vector<Layer>& layers) {
  for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
    const auto from = at + place.size();
    auto end = from;
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    const bool is_whole = (at == 0 || !is_of_name(text[at - 1])) && end > from;
    const auto name = is_whole ? stage_name(layers, slot, text.substr(from, end - from))
                               : text.substr(at, end - at);
    text.replace(at, end - at, name);
    at += name.size();
  }
  return text;
}

}  // namespace

std::string stage_name(const std::vector<Layer>& layers, const show::Port& slot,
                       std::string_view parameter) {
  const auto is_its = [&](const Layer& layer) {
    return layer.fader && layer.fader->mixer == slot && layer.fader->parameter == parameter;
  };
  const auto layer = std::ranges::find_if(layers, is_its);
  if (layer != layers.end()) return layer->submix + " Fader";
  if (slot == mixer_of(layers)) return std::string(parameter);
  return fmt::format("{} {} {}", slot.submix, slot.slot, parameter);
}

std::string stage_value(const show::ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.3g}", *number);
  if (const auto* is_on = std::get_if<bool>(&value)) return *is_on ? "on" : "off";
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return show::to_string(value);
}

std::string stage_text(const std::vector<Layer>& layers, const show::CueChange& change) {
  return std::visit(StageText{layers}, change);
}

std::string with_stage_names(const show::Show& show, const std::vector<Layer>& layers,
                             std::string text) {
  for (const auto& submix : show.submixes) {
    if (text.find(submix.name) == std::string::npos) continue;
    for (const auto& slot : submix.slots) {
      const show::Port port{submix.name, slot.name};
      const auto place = show::to_string(port);
      for (const auto* separator : {".", ": "})
        text = named_behind(std::move(text), fmt::format("{}{}", place, separator), port, layers);
    }
  }
  return text;
}

}  // namespace submix::model
