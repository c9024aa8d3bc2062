// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/relinking.hpp"

#include "common/show/clip_bank.hpp"
#include "controller/model/edit/clip_deck.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace submix::model {
namespace {

std::string_view leaf_of(std::string_view file) {
  return file.substr(file.rfind('/') + 1);
}

// The files of a clip's bank; of a still, one. An empty name is no file.
show::ClipBank files_of(const show::Slot& slot) {
  if (slot.plugin == "clip") return show::clip_bank_of(slot.parameters);
  if (slot.plugin != "still") return {};
  return {show::clip_bank_of(slot.parameters).front()};
}

bool is_unlisted(const NodeFile& wanted, const MediaLists& lists) {
  const auto* media = find_media(lists, wanted.node);
  const bool is_absolute = wanted.file.starts_with('/');
  return is_absolute ? media != nullptr && media->error.empty() : is_missing(wanted, lists);
}

/// A file gets another name in a parameter of a slot: `file`, or `bank` with the other clips.
struct Renaming {
  show::Port slot;
  std::string parameter;
  show::ParameterValue from;
  show::ParameterValue to;
};

// Presets name the parameters of a whole submix "slot.file".
void rename_in_preset(show::Preset& preset, const Renaming& renaming) {
  const auto& slot = renaming.slot;
  const bool is_of_slot = preset.of == slot;
  const bool is_of_submix = preset.of.submix == slot.submix && preset.of.slot.empty();
  if (!is_of_slot && !is_of_submix) return;
  const auto found = preset.parameters.find(is_of_slot ? renaming.parameter
                                                       : slot.slot + '.' + renaming.parameter);
  if (found != preset.parameters.end() && found->second == renaming.from)
    found->second = renaming.to;
}

void rename_in_cue(show::Cue& cue, const Renaming& renaming) {
  for (auto& change : cue.changes) {
    auto* set = std::get_if<show::CueParameter>(&change);
    const bool is_it = set != nullptr && set->slot == renaming.slot &&
                       set->parameter == renaming.parameter && set->value == renaming.from;
    if (is_it) set->value = renaming.to;
  }
}

void leave_out(show::Slot& slot, std::size_t clip) {
  if (clip == 1) {
    slot.is_bypassed = true;
  } else if (wanted_clip(slot) == clip) {
    slot.parameters.erase(std::string(show::kBankClip));
    slot.fades.erase(std::string(show::kBankClip));
  }
}

std::optional<Renaming> renaming_of(const Relink& link, const show::Slot& slot) {
  auto bank = files_of(slot);
  if (link.clip < 1 || link.clip > bank.size()) return std::nullopt;
  auto& file = bank[link.clip - 1].file;
  if (link.clip == 1) return Renaming{link.slot, std::string(show::kClipFile), file, link.file};
  if (link.file.find('|') != std::string::npos) return std::nullopt;
  Renaming renaming{link.slot, std::string(show::kClipBank), show::bank_text(bank), {}};
  file = link.file;
  renaming.to = show::bank_text(bank);
  return renaming;
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
    const bool has_file = std::ranges::any_of(submix.slots, [](const show::Slot& slot) {
      const auto files = files_of(slot);
      return std::ranges::any_of(files, [](const auto& clip) { return !clip.file.empty(); });
    });
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
    const auto renaming = link.file.empty() ? std::nullopt : renaming_of(link, *slot);
    if (!renaming) {
      leave_out(*slot, link.clip);
      continue;
    }
    slot->parameters[renaming->parameter] = renaming->to;
    for (auto& preset : show.presets)
      rename_in_preset(preset, *renaming);
    for (auto& cue : show.cues)
      rename_in_cue(cue, *renaming);
  }
  return show;
}

std::vector<MissingFile> find_missing_files(const show::Show& show, const MediaLists& lists) {
  std::vector<MissingFile> missing;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      const auto files = files_of(slot);
      for (std::size_t i = 0; i < files.size(); ++i) {
        const NodeFile wanted{submix.node, files[i].file, 0};
        if (!wanted.file.empty() && is_unlisted(wanted, lists))
          missing.push_back({{submix.name, slot.name}, wanted, namesakes_of(wanted, lists), i + 1});
      }
    }
  }
  return missing;
}

}  // namespace submix::model
