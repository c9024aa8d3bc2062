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

}  // namespace

bool is_missing(const NodeFile& wanted, const MediaLists& lists) {
  const auto* media = find_media(lists, wanted.node);
  if (wanted.file.empty() || wanted.file.starts_with('/')) return false;
  if (media == nullptr || media->list.is_cut || !media->error.empty()) return false;
  return std::ranges::find(media->list.files, wanted.file, &cluster::MediaFile::name) ==
         media->list.files.end();
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

std::vector<MissingFile> find_missing_files(const show::Show& show, const MediaLists& lists) {
  std::vector<MissingFile> missing;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      const NodeFile wanted{submix.node, file_of(slot), 0};
      if (is_missing(wanted, lists))
        missing.push_back({{submix.name, slot.name}, wanted, namesakes_of(wanted, lists)});
    }
  }
  return missing;
}

}  // namespace submix::model
