// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/share_changes.hpp"

#include "common/show/lookup.hpp"

#include <algorithm>
#include <iterator>

namespace submix::agent {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

namespace {

void add_ends(ToRebuild& to_rebuild, const show::Show& show,
              const std::vector<std::string>& streams) {
  for (const auto& stream : show.streams) {
    if (!has(streams, stream.name)) continue;
    to_rebuild[stream.from.submix].insert(stream.from.slot);
    to_rebuild[stream.to.submix].insert(stream.to.slot);
  }
}

}  // namespace

ToRebuild submixes_to_rebuild(const show::Difference& difference, const show::Show& before,
                              const show::Show& after) {
  ToRebuild to_rebuild;
  for (const auto* names : {&difference.added, &difference.rebuilt}) {
    for (const auto& name : *names)
      to_rebuild.try_emplace(name);
  }
  add_ends(to_rebuild, after, difference.streams_added);
  add_ends(to_rebuild, after, difference.streams_changed);
  add_ends(to_rebuild, before, difference.streams_changed);
  add_ends(to_rebuild, before, difference.streams_removed);
  if (!difference.is_format_changed) return to_rebuild;

  // Includes a submix that could not change its format and need not any more.
  for (const auto& submix : after.submixes)
    to_rebuild[submix.name].merge(stream_ends(submix));
  return to_rebuild;
}

bool is_tuned_only(show::Difference difference) {
  const bool is_tuned =
      difference.is_tempo_changed || !difference.tuned.empty() || !difference.streams_tuned.empty();
  difference.is_tempo_changed = false;
  difference.tuned.clear();
  difference.streams_tuned.clear();
  return is_tuned && difference.is_empty();
}

bool is_tuned(const show::Difference& difference, const std::string& submix) {
  return std::ranges::any_of(difference.tuned, [&](const show::SlotChange& change) {
    return change.slot.submix == submix;
  });
}

std::map<std::string, std::vector<show::SlotChange>> by_submix(
    const std::vector<show::SlotChange>& changes) {
  std::map<std::string, std::vector<show::SlotChange>> sorted;
  for (const auto& change : changes)
    sorted[change.slot.submix].push_back(change);
  return sorted;
}

std::set<std::string> stream_ends(const show::Submix& submix) {
  std::set<std::string> ends;
  for (const auto& slot : submix.slots) {
    if (slot.plugin == show::kStreamInPlugin || slot.plugin == show::kStreamOutPlugin)
      ends.insert(slot.name);
  }
  return ends;
}

std::vector<show::Stream> streams_of(const std::string& submix, const show::Show& show) {
  std::vector<show::Stream> streams;
  std::ranges::copy_if(show.streams, std::back_inserter(streams), [&](const auto& stream) {
    return stream.from.submix == submix || stream.to.submix == submix;
  });
  return streams;
}

bool gives_stream_away(const std::string& submix, const std::vector<show::Stream>& streams,
                       const show::Show& next, const std::set<std::string>& failed) {
  const auto is_taken = [&](const show::Port& before, const show::Port& now) {
    return before.submix == submix && now.submix != submix &&
           next.find_submix(now.submix) != nullptr && !failed.contains(now.submix);
  };
  return std::ranges::any_of(streams, [&](const show::Stream& before) {
    const auto* now = next.find_stream(before.name);
    return now != nullptr && (is_taken(before.from, now->from) || is_taken(before.to, now->to));
  });
}

}  // namespace submix::agent
