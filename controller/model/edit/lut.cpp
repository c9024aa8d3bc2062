// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/lut.hpp"

#include "common/show/lookup.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/plugin_kinds.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace submix::model {
namespace {

constexpr const char* kColourPlugin = "colour";
constexpr const char* kLut = "lut";

// A Colour in front of it changes one of several pictures.
bool joins_pictures(const show::Show& show, const PluginMap& plugins, const show::Slot& slot) {
  const auto inputs = input_count(show, plugins, slot.plugin);
  return inputs && inputs->least > 1;
}

}  // namespace

bool is_lut_name(std::string_view file) {
  constexpr std::string_view kEnding = ".cube";
  if (file.size() < kEnding.size()) return false;
  return std::ranges::equal(file.substr(file.size() - kEnding.size()), kEnding, {},
                            [](unsigned char letter) { return std::tolower(letter); });
}

Result<Edit> apply_lut(const show::Show& show, const PluginMap& plugins, const std::string& submix,
                       std::string file) {
  const auto found = show::submix_of(show, submix);
  SUBMIX_TRY(found);
  const auto& slots = (*found)->slots;
  const auto colour = std::find_if(slots.rbegin(), slots.rend(), [&](const show::Slot& slot) {
    return slot.plugin == kColourPlugin || joins_pictures(show, plugins, slot);
  });
  if (colour != slots.rend() && colour->plugin == kColourPlugin)
    return Edit(SetParameter{{submix, colour->name}, kLut, std::move(file)});

  show::Slot added;
  added.name = free_slot_name(**found, kColourPlugin);
  added.plugin = kColourPlugin;
  added.parameters = {{kLut, std::move(file)}};
  const show::Port above{submix, last_picture_of(**found, plugins)};
  return insert_whole_slot(show, plugins, above, std::move(added));
}

}  // namespace submix::model
