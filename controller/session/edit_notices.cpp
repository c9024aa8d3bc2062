// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/edit_notices.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::session {

std::optional<std::string> EditNotices::once(const std::string& about, std::string text,
                                             LocalTime now) {
  std::erase_if(told_, [&](const auto& known) { return now - known.second > kPause; });
  const bool is_new = told_.try_emplace(about, now).second;
  return is_new ? std::optional(std::move(text)) : std::nullopt;
}

std::vector<std::string> EditNotices::left_out(const std::vector<std::string>& values,
                                               LocalTime now) {
  std::vector<std::string> texts;
  for (const auto& value : values) {
    auto text = once("left out " + value.substr(0, value.find(": ")), "left out: " + value, now);
    if (text) texts.push_back(*std::move(text));
  }
  return texts;
}

std::optional<std::string> EditNotices::refused(const EditShow& action, const Error& error,
                                                LocalTime now) {
  const auto* value = std::get_if<model::SetParameter>(&action.edit);
  const bool is_fader = value != nullptr && !action.is_undoable;
  if (!is_fader) return error.message;
  return once(fmt::format("refused {}.{}", show::to_string(value->slot), value->name),
              error.message, now);
}

std::optional<std::string> EditNotices::undescribed(const model::Edit& edit, const show::Show* show,
                                                    const model::PluginMap* plugins,
                                                    LocalTime now) {
  const auto* value = std::get_if<model::SetParameter>(&edit);
  if (value == nullptr || !value->value || show == nullptr) return std::nullopt;
  const auto* slot = show->find_slot(value->slot);
  if (slot == nullptr || (plugins != nullptr && plugins->contains(slot->plugin)))
    return std::nullopt;
  const auto place = fmt::format("{}.{}", show::to_string(value->slot), value->name);
  return once(
      "undescribed " + place,
      fmt::format(
          "{}: not checked: no node that is here describes the plugin \"{}\"; its own node checks "
          "the value once it is here",
          place, slot->plugin),
      now);
}

}  // namespace submix::session
