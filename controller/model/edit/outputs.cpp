// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/outputs.hpp"

#include "common/show/lookup.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/patch_wiring.hpp"
#include "controller/model/edit/plugin_kinds.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::string_view kRecording = "recording";
constexpr const char* kFullscreen = "fullscreen";

std::vector<show::Port> slots_with(const show::Show& show, std::string_view plugin) {
  std::vector<show::Port> found;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      if (slot.plugin == plugin) found.push_back({submix.name, slot.name});
    }
  }
  return found;
}

bool is_recording_slot(const show::Slot& slot) {
  return show::stated_value(slot.parameters, kRecording, true);
}

EditGroup set_all(const std::vector<show::Port>& slots, std::string_view parameter, bool value) {
  EditGroup group;
  for (const auto& slot : slots)
    group.edits.emplace_back(SetParameter{slot, std::string(parameter), value});
  return group;
}

// Shows or records what the end of `mix` shows.
Result<Edit> insert_output(const show::Show& show, const PluginMap& plugins, const std::string& mix,
                           std::string_view plugin, show::Parameters parameters) {
  const auto submix = show::submix_of(show, mix);
  SUBMIX_TRY(submix);
  PatchWiring wiring(show, **submix, plugins);
  const auto shown = shown_slot(wiring, plugins);
  if (!shown)
    return fail("submix \"{}\" has no picture to {}; insert a source first", mix,
                plugin == kRecordPlugin ? "record" : "show");
  show::Slot output;
  output.name = free_slot_name(**submix, plugin);
  output.plugin = plugin;
  output.parameters = std::move(parameters);
  return insert_whole_slot(show, plugins, {mix, *shown}, std::move(output));
}

// The node puts in the time at which a film begins. A name that begins with a dot would be hidden.
std::string film_file(std::string show_name) {
  std::replace(show_name.begin(), show_name.end(), '/', '-');
  if (show_name.starts_with('.')) show_name.front() = '-';
  return show_name + "-{time}.mkv";
}

}  // namespace

Result<Edit> set_fullscreen(const show::Show& show, const PluginMap& plugins,
                            const std::string& mix, bool is_fullscreen) {
  const auto windows = slots_with(show, kWindowPlugin);
  if (windows.empty())
    return insert_output(show, plugins, mix, kWindowPlugin, {{kFullscreen, is_fullscreen}});
  return set_fullscreen(windows, is_fullscreen);
}

Edit set_fullscreen(const std::vector<show::Port>& windows, bool is_fullscreen) {
  auto group = set_all(windows, kFullscreen, is_fullscreen);
  group.title = is_fullscreen ? "full screen" : "outputs in windows";
  return Edit(std::move(group));
}

Edit put_on_display(const show::Port& window, const std::string& name, std::size_t number) {
  EditGroup group;
  group.title = fmt::format("{} on {}", show::to_string(window),
                            name.empty() ? fmt::format("display {}", number) : name);
  group.edits.emplace_back(SetParameter{window, "screen", name});
  group.edits.emplace_back(SetParameter{window, "display", static_cast<double>(number)});
  return Edit(std::move(group));
}

bool is_recording(const show::Show& show) {
  return std::ranges::any_of(slots_with(show, kRecordPlugin), [&](const auto& recorder) {
    return is_recording_slot(*show.find_slot(recorder));
  });
}

Result<Edit> set_recording(const show::Show& show, const PluginMap& plugins, const std::string& mix,
                           bool is_recording) {
  auto group = set_all(slots_with(show, kRecordPlugin), kRecording, is_recording);
  group.title = is_recording ? "record" : "stop recording";
  if (!group.edits.empty()) return Edit(std::move(group));
  if (!is_recording) return fail("the show has no recorder");
  return insert_output(show, plugins, mix, kRecordPlugin, {{"file", film_file(show.name)}});
}

void switch_recorders_off(show::Submix& submix) {
  for (auto& slot : submix.slots) {
    if (slot.plugin == kRecordPlugin)
      slot.parameters.insert_or_assign(std::string(kRecording), false);
  }
}

std::shared_ptr<const show::Show> without_recording(std::shared_ptr<const show::Show> show) {
  if (!is_recording(*show)) return show;
  auto changed = std::make_shared<show::Show>(*show);
  for (auto& submix : changed->submixes)
    switch_recorders_off(submix);
  return changed;
}

bool is_recording_switch(const show::Show& show, const Edit& edit) {
  if (const auto* group = std::get_if<EditGroup>(&edit)) {
    return !group->edits.empty() && std::ranges::all_of(group->edits, [&](const Edit& part) {
      return is_recording_switch(show, part);
    });
  }
  const auto* value = std::get_if<SetParameter>(&edit);
  if (value == nullptr || value->name != kRecording) return false;
  const auto* slot = show.find_slot(value->slot);
  return slot != nullptr && slot->plugin == kRecordPlugin;
}

}  // namespace submix::model
