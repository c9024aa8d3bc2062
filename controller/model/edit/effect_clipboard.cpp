// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/effect_clipboard.hpp"

#include "common/show/lookup.hpp"
#include "common/show/parse.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::string_view kSubmix = "effects";

}  // namespace

std::string text_of_effects(const std::vector<show::Slot>& effects) {
  show::Show show;
  show.name = kSubmix;
  show.submixes.push_back({.name = std::string(kSubmix), .node = {}, .slots = effects});
  for (auto& slot : show.submixes.front().slots) {
    slot.inputs.reset();
    slot.fades.clear();  // they belong to a moment
  }
  return show::to_toml(show);
}

std::vector<show::Slot> effects_of(const show::Submix& submix, const PluginMap& plugins) {
  std::vector<show::Slot> effects;
  std::ranges::copy_if(submix.slots, std::back_inserter(effects),
                       [&](const show::Slot& slot) { return is_filter(plugins, slot.plugin); });
  return effects;
}

Result<std::vector<show::Slot>> effects_in(std::string_view text) {
  if (text.size() > kEffectsTextBytesMax)
    return fail("the clipboard has {} bytes, more than the {} of effects; copy an effect first",
                text.size(), kEffectsTextBytesMax);
  auto show = show::parse(text, "clipboard");
  const bool has_effects = show && show->submixes.size() == 1 &&
                           show->submixes.front().name == kSubmix &&
                           !show->submixes.front().slots.empty();
  if (!has_effects) return fail("the clipboard has no effect; copy one first, by Ctrl+C");
  return std::move(show->submixes.front().slots);
}

Result<Edit> paste_effects(const show::Show& show, const PluginMap& plugins,
                           const show::Port& above, const std::vector<show::Slot>& effects) {
  auto after = show;
  auto last = above;
  for (auto slot : effects) {
    if (!is_filter(plugins, slot.plugin))
      return fail("\"{}\" is no effect that a PC of this show has; install it there first",
                  slot.plugin);
    const auto submix = show::submix_of(after, above.submix);
    SUBMIX_TRY(submix);
    slot.name = free_slot_name(**submix, slot.plugin);
    slot.inputs.reset();
    const auto name = slot.name;
    const auto edit = insert_whole_slot(after, plugins, last, std::move(slot));
    SUBMIX_TRY(edit);
    SUBMIX_TRY(model::apply(after, *edit));
    last.slot = name;
  }
  const auto title = effects.size() == 1 ? fmt::format("paste {}", effects.front().plugin)
                                         : fmt::format("paste {} effects", effects.size());
  return difference(show, after, fmt::format("{} into {}", title, above.submix));
}

}  // namespace submix::model
