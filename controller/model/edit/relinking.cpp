// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/relinking.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

std::string_view leaf_of(std::string_view file) {
  return file.substr(file.rfind('/') + 1);
}

// Empty: the slot reads no file.
std::string file_of(const show::Slot& slot) {
  if (slot.plugin != "clip" && slot.plugin != "still") return {};
  const auto found = slot.parameters.find("file");
  const auto* file =
      found == slot.parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  return file == nullptr ? std::string() : *file;
}

bool is_unlisted(const NodeFile& wanted, const MediaLists& lists) {
  const auto* media = find_media(lists, wanted.node);
  const bool is_absolute = wanted.file.starts_with('/');
  return is_absolute ? media != nullptr && media->error.empty() : is_missing(wanted, lists);
}

// Presets name the parameters of a whole submix "slot.file".
void rename_in_preset(show::Preset& preset, const show::Port& slot, const std::string& from,
                      const std::string& to) {
  const bool is_of_slot = preset.of == slot;
  const bool is_of_submix = preset.of.submix == slot.submix && preset.of.slot.empty();
  if (!is_of_slot && !is_of_submix) return;
  const auto found = preset.parameters.find(is_of_slot ? "file" : slot.slot + ".file");
  if (found != preset.parameters.end() && found->second == show::ParameterValue(from))
    found->second = to;
}

void rename_in_cue(show::Cue& cue, const show::Port& slot, const std::string& from,
                   const std::string& to) {
  for (auto& change : cue.changes) {
    auto* set = std::get_if<show::CueParameter>(&change);
    const bool is_it = set != nullptr && set->slot == slot && set->parameter == "file" &&
                       set->value == show::ParameterValue(from);
    if (is_it) set->value = to;
  }
}

}  // namespace

bool is_missing(const NodeFile& wanted, const MediaLists& lists) {
  const auto* media = find_media(lists, wanted.node);
  if (wanted.file.empty() || wanted.file.starts_with('/')) return false;
  if (media == nullptr || media->list.is_cut || !media->error.empty()) return false;
  return std::ranges::find(media->list.files, wanted.file, &cluster::MediaFile::name) ==
         media->list.files.end();
}

std::set<std::string> nodes_with_files(const show::Show& show) {
  std::set<std::string> nodes;
  for (const auto& submix : show.submixes) {
    const bool has_file = std::ranges::any_of(
        submix.slots, [](const show::Slot& slot) { return !file_of(slot).empty(); });
    if (has_file && !submix.node.empty()) nodes.insert(submix.node);
  }
  return nodes;
}

std::vector<NodeFile> namesakes_of(const NodeFile& wanted, const MediaLists& lists) {
  std::vector<NodeFile> found;
  for (const auto& [node, media] : lists) {
    for (const auto& file : media.list.files) {
      if (leaf_of(file.name) == leaf_of(wanted.file))
        found.push_back({node, file.name, file.bytes});
    }
  }
  std::ranges::stable_partition(found,
                                [&](const NodeFile& file) { return file.node == wanted.node; });
  return found;
}

std::optional<NodeFile> clear_choice(const MissingFile& missing) {
  const auto& found = missing.found;
  if (found.empty()) return std::nullopt;
  const bool is_own = found[0].node == missing.wanted.node;
  const bool is_clear = std::ranges::all_of(found, [&](const NodeFile& other) {
    return other == found[0] ||
           (is_own ? other.node != found[0].node : other.bytes == found[0].bytes);
  });
  return is_clear ? std::optional(found[0]) : std::nullopt;
}

show::Show relinked(show::Show show, const std::vector<Relink>& links) {
  for (const auto& link : links) {
    auto* slot = show.find_slot(link.slot);
    if (slot == nullptr) continue;
    if (link.file.empty()) {
      slot->is_bypassed = true;
      continue;
    }
    const auto before = file_of(*slot);
    slot->parameters["file"] = link.file;
    for (auto& preset : show.presets)
      rename_in_preset(preset, link.slot, before, link.file);
    for (auto& cue : show.cues)
      rename_in_cue(cue, link.slot, before, link.file);
  }
  return show;
}

std::vector<MissingFile> find_missing_files(const show::Show& show, const MediaLists& lists) {
  std::vector<MissingFile> missing;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      const NodeFile wanted{submix.node, file_of(slot), 0};
      if (!wanted.file.empty() && is_unlisted(wanted, lists))
        missing.push_back({{submix.name, slot.name}, wanted, namesakes_of(wanted, lists)});
    }
  }
  return missing;
}

}  // namespace submix::model
