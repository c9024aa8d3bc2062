// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/cue_list.hpp"

#include "common/show/lookup.hpp"
#include "controller/model/edit/new_name.hpp"
#include "controller/model/edit/performing.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::model {
namespace {

// `name` is the part of a change that names the renamed thing.
template <typename Change>
void rename_in_cues(show::Show& show, std::string Change::* name, const std::string& from,
                    const std::string& to) {
  for (auto& cue : show.cues) {
    for (auto& change : cue.changes) {
      auto* found = std::get_if<Change>(&change);
      if (found != nullptr && found->*name == from) found->*name = to;
    }
  }
}

}  // namespace

Result<Edit> rename_cue(const show::Show& show, const std::string& cue, const std::string& name) {
  if (!show::has_named(show.cues, cue)) return show::not_there("cue", cue, show.cues);
  SUBMIX_TRY(check_new_name("cue", name, show.cues, cue));
  auto after = show;
  show::find_named(after.cues, cue)->name = name;
  if (after.next_cue == cue) after.next_cue = name;
  return difference(show, after, fmt::format("rename cue {} to {}", cue, name));
}

Result<Edit> rename_preset(const show::Show& show, const std::string& preset,
                           const std::string& name) {
  if (!show::has_named(show.presets, preset))
    return show::not_there("preset", preset, show.presets);
  SUBMIX_TRY(check_new_name("preset", name, show.presets, preset));
  auto after = show;
  show::find_named(after.presets, preset)->name = name;
  rename_in_cues(after, &show::CuePreset::preset, preset, name);
  return difference(show, after, fmt::format("rename preset {} to {}", preset, name));
}

Result<Edit> rename_knob(const show::Show& show, const std::string& knob, const std::string& name) {
  if (!show::has_named(show.knobs, knob)) return show::not_there("knob", knob, show.knobs);
  SUBMIX_TRY(check_new_name("knob", name, show.knobs, knob));
  auto after = show;
  show::find_named(after.knobs, knob)->name = name;
  rename_in_cues(after, &show::CueKnob::knob, knob, name);
  return difference(show, after, fmt::format("rename knob {} to {}", knob, name));
}

Result<Edit> move_cue(const show::Show& show, const std::string& cue, CueSide side,
                      const std::string& other) {
  for (const auto* name : {&cue, &other}) {
    if (!show::has_named(show.cues, *name)) return show::not_there("cue", *name, show.cues);
  }
  if (cue == other) return fail("cue \"{}\" cannot stand beside itself; name another cue", cue);
  auto after = show;
  const auto moved = *show::find_named(after.cues, cue);
  std::erase_if(after.cues, [&](const show::Cue& each) { return each.name == cue; });
  const auto place = show::find_named(after.cues, other);
  after.cues.insert(side == CueSide::after ? place + 1 : place, moved);
  const auto* next = next_cue(show);
  if (next_cue(after)->name != next->name) after.next_cue = next->name;
  return difference(show, after, fmt::format("move cue {}", cue));
}

}  // namespace submix::model
