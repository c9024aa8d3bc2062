// SPDX-License-Identifier: GPL-3.0-or-later
// Control from outside: OSC, the tempo of Ableton Link or of the music, MIDI devices, and the
// messages received.
#include "controller/input/osc_space.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/control_panels.hpp"
#include "controller/ui/pages/control_state.hpp"
#include "controller/ui/pages/music_switch.hpp"
#include "controller/ui/panel.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

struct Address {
  const char* address;
  const char* meaning;
};
constexpr std::array kAddresses{
    Address{"/submix/SUBMIX/SLOT/PARAMETER", "0 to 1 over its range"},
    Address{"/submix/SUBMIX/SLOT/PARAMETER/value", "in its own units"},
    Address{"/bypass/SUBMIX/SLOT", "0 or 1"},
    Address{"/assign/SUBMIX", "a node's name"},
    Address{"/transport/pause, /step", "0 or 1; one frame on"},
    Address{"/transport/black, /freeze", "0 or 1: of all outputs"},
    Address{"/transport/fullscreen", "0 or 1: of all outputs"},
    Address{"/transport/record", "0 or 1: records the mix"},
    Address{"/knob/KNOB", "0 to 1"},
    Address{"/preset/PRESET", "applies it"},
    Address{"/go, /go/CUE", "does the next cue, or this one"},
    Address{"/tempo, /tap", "beats a minute; a tap on each beat"},
    Address{"/speed", "of all oscillators, 0 to 16"},
    Address{"/get", "ADDRESS: its value is sent back"},
    Address{"/subscribe", "[PORT] [ADDRESS...]: changes are sent back"},
};

// In the current font.
float width_of_addresses() {
  float widest = 0;
  for (const auto& known : kAddresses)
    widest = std::max(widest, width_of(known.address));
  return widest;
}

void on_and_off(bool is_on, Panel& panel, input::InputAction turned) {
  panel_title_right(ImGui::GetFrameHeight());
  if (ImGui::Checkbox("##on", &is_on)) panel.input_actions.push_back(std::move(turned));
  tooltip(is_on ? "Turn it off" : "Turn it on");
}

void draw_osc_state(const input::InputView& input) {
  if (!input.osc.is_on) return badge("off", color::kFaint);
  if (input.osc_address.empty()) {
    badge("not there", color::kBad);
    ImGui::PushTextWrapPos(0);
    text(input.osc_trouble, color::kDim);
    return ImGui::PopTextWrapPos();
  }
  badge("listens", color::kGood);
  ImGui::SameLine();
  const auto count = input.osc_subscribers;
  text(fmt::format("UDP {}, tells changes to {} program{}", input.osc_address, count,
                   count == 1 ? "" : "s"),
       color::kDim);
}

void draw_osc_address(Panel& panel) {
  auto& state = *panel.state.control;
  const auto& osc = panel.input.osc;
  if (!state.is_osc_edited)
    std::tie(state.osc_host, state.osc_port) = std::pair(osc.host, int{osc.port});
  ImGui::SetNextItemWidth(panel.px(130));
  state.is_osc_edited |= ImGui::InputText("##host", &state.osc_host);
  tooltip(
      "Address to listen at: 127.0.0.1 is this machine alone, 0.0.0.0 all its networks. OSC has no "
      "key: everybody who reaches it can change the show.");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(panel.px(70));
  state.is_osc_edited |= ImGui::InputInt("##port", &state.osc_port, 0);
  tooltip("UDP port");
  state.osc_port = std::clamp(state.osc_port, 0, 65535);
  if (!state.is_osc_edited) return;
  ImGui::SameLine();
  if (!ImGui::Button("Apply")) return;
  state.is_osc_edited = false;
  auto changed = osc;
  changed.host = state.osc_host;
  changed.port = static_cast<std::uint16_t>(state.osc_port);
  panel.input_actions.emplace_back(input::SetOsc{std::move(changed)});
}

// The OSC address of the target chosen in the list of mappings, for copying.
void draw_chosen_address(Panel& panel) {
  const auto target = input::parse_target(panel.state.selected_target);
  if (!target) return;
  const auto address = input::osc_address({{*target, 0.0}});
  text_in(panel.fonts.mono, address, color::kAccent);
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy")) ImGui::SetClipboardText(address.c_str());
  rule();
}

void draw_four_beats(double phase, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const auto corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(panel.px(22), panel.px(8));
  for (int beat = 0; beat < 4; ++beat) {
    const float x = corner.x + static_cast<float>(beat) * (size.x + panel.px(4));
    const bool is_now = static_cast<int>(phase) == beat;
    draw->AddRectFilled(ImVec2(x, corner.y), ImVec2(x + size.x, corner.y + size.y),
                        is_now ? color::kAccent : color::kTrack);
  }
  ImGui::Dummy(ImVec2(4 * (size.x + panel.px(4)), size.y));
}

void draw_beats_a_minute(Panel& panel) {
  const auto* show = panel.view.show.get();
  auto tempo =
      static_cast<float>(show == nullptr ? panel.input.link.tempo : show->tempo.beats_per_minute);
  ImGui::BeginDisabled(show == nullptr);
  ImGui::SetNextItemWidth(panel.px(110));
  if (ImGui::InputFloat("##tempo", &tempo, 1, 10, "%.1f", ImGuiInputTextFlags_EnterReturnsTrue))
    panel.input_actions.emplace_back(input::SetPace{tempo, {}});
  ImGui::EndDisabled();
  ImGui::SameLine();
  text("beats a minute", color::kDim);
}

void draw_link_switch(Panel& panel) {
  const auto& link = panel.input.link;
  bool is_on = link.is_on;
  if (ImGui::Checkbox("Ableton Link", &is_on))
    panel.input_actions.emplace_back(input::TurnLink{is_on});
  tooltip("Shares tempo and bar with programs in this network that have Link switched on.");
  if (!link.is_on) return;
  ImGui::SameLine();
  badge(fmt::format("{} other{}", link.peers, link.peers == 1 ? "" : "s"),
        link.peers > 0 ? color::kGood : color::kFaint);
  draw_four_beats(link.phase, panel);
}

}  // namespace

void draw_osc_panel(Panel& panel) {
  if (begin_panel("OSC", panel.fonts)) {
    auto turned = panel.input.osc;
    turned.is_on = !turned.is_on;
    on_and_off(panel.input.osc.is_on, panel, input::SetOsc{std::move(turned)});
    draw_osc_state(panel.input);
    draw_osc_address(panel);
    rule();
    draw_chosen_address(panel);
    ImGui::PushFont(panel.fonts.small);
    const float meanings = width_of_addresses() + panel.px(24);
    for (const auto& [address, meaning] : kAddresses) {
      text(address);
      ImGui::SameLine(meanings);
      text_cut(meaning, ImGui::GetContentRegionAvail().x, color::kDim);
    }
    ImGui::PopFont();
  }
  end_panel();
}

void draw_tempo_panel(Panel& panel) {
  if (begin_panel("Tempo", panel.fonts)) {
    draw_beats_a_minute(panel);
    draw_link_switch(panel);
    draw_music_switch(panel);
  }
  end_panel();
}

void draw_midi_devices_panel(Panel& panel) {
  const auto& input = panel.input;
  if (begin_panel("MIDI devices", panel.fonts)) {
    on_and_off(input.is_midi_on, panel, input::TurnMidi{!input.is_midi_on});
    ImGui::PushTextWrapPos(0);
    if (!input.is_midi_on) {
      badge("off", color::kFaint);
    } else if (input.midi.system.empty()) {
      badge("no MIDI", color::kWarning);
      text(input.midi.reason, color::kDim);
    } else if (input.midi.devices.empty()) {
      text(fmt::format("{} is there, but no device.", input.midi.system), color::kDim);
    }
    ImGui::PopTextWrapPos();
    for (const auto& device : input.midi.devices) {
      badge(device.name, device.trouble.empty() ? color::kGood : color::kBad);
      tooltip(device.trouble);
      ImGui::SameLine();
      text(!device.trouble.empty() ? "cannot be opened"
           : device.can_be_told    ? "hears and is told"
                                   : "is heard",
           color::kDim);
    }
  }
  end_panel();
}

void draw_heard_panel(Panel& panel) {
  const auto& heard = panel.input.heard;
  if (begin_panel("Last messages", panel.fonts)) {
    if (panel.input.dropped > 0) {
      const auto words = fmt::format("{} came too fast", panel.input.dropped);
      panel_title_right(width_of(words));
      text(words, color::kWarning);
    }
    ImGui::PushFont(panel.fonts.small);
    if (heard.empty()) text("Nothing has come yet: move a fader, or send /get.", color::kDim);
    for (auto line = heard.rbegin(); line != heard.rend(); ++line) {
      text(clock_text(line->at), color::kFaint);
      ImGui::SameLine(panel.px(70));
      text_cut(line->text, ImGui::GetContentRegionAvail().x,
               line == heard.rbegin() ? color::kText : color::kDim);
    }
    ImGui::PopFont();
  }
  end_panel();
}

}  // namespace submix::ui
