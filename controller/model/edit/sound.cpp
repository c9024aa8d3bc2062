// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/sound.hpp"

#include "common/show/lookup.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr const char* kNobody = "nobody listens";

std::string text_of(const std::string& node, const std::string& input) {
  return fmt::format("{}: {}", node, input.empty() ? "default input" : input);
}

/// Not the sound of a clip, which comes and goes with the show.
bool is_of_the_computer(const CaptureDevice& input) {
  return !show::slot_of_sound(input.device);
}

}  // namespace

std::vector<SoundChoice> sound_choices(const ClusterView& view) {
  std::vector<SoundChoice> choices;
  for (const auto& node : view.nodes) {
    if (node.health != Health::healthy) continue;
    if (std::ranges::any_of(node.sound_devices, is_of_the_computer))
      choices.push_back({{node.name, ""}, text_of(node.name, "")});
    for (const auto& [device, name] : node.sound_devices)
      choices.push_back({{node.name, device}, text_of(node.name, name.empty() ? device : name)});
  }
  choices.push_back({{}, kNobody});
  return choices;
}

std::string sound_text(const ClusterView& view) {
  const auto wanted = view.show ? view.show->sound : show::SoundInput();
  const auto choices = sound_choices(view);
  const auto found = std::ranges::find(choices, wanted, &SoundChoice::input);
  return found != choices.end() ? found->text : text_of(wanted.node, wanted.device);
}

Edit listen(const show::Show& show, const show::SoundInput& input) {
  if (input.node.empty() || show::has_named(show.nodes, input.node)) return SetSound{input};
  auto after = show;
  after.sound = input;
  after.nodes.push_back({input.node, ""});
  return difference(show, after, title(SetSound{input}));
}

std::optional<Edit> first_listener(const ClusterView& view) {
  if (!view.show || !view.show->sound.node.empty()) return std::nullopt;
  const auto choices = sound_choices(view);
  const auto is_default = [](const SoundChoice& choice) { return choice.input.device.empty(); };
  // The last choice, "nobody listens", always matches.
  const auto first = std::ranges::find_if(choices, is_default);
  if (first->input.node.empty()) return std::nullopt;
  return listen(*view.show, first->input);
}

Edit with_listener(SetOscillator edit, const ClusterView& view) {
  if (!edit.oscillator || !follows_sound(edit.oscillator->waveform)) return edit;
  auto listener = first_listener(view);
  if (!listener) return edit;
  auto about = title(edit);
  return EditGroup{std::move(about), {std::move(*listener), std::move(edit)}};
}

}  // namespace submix::model
