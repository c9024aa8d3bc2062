// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/diff.hpp"
#include "common/show/document.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace submix::agent {

/// Submixes to build or edit. The set holds slots whose plugin must be made anew, although the show
/// has not changed them: their stream is a new one. An empty set: the submix's own slots changed.
using ToRebuild = std::map<std::string, std::set<std::string>>;

/// Whether `name` is one of `names`.
[[nodiscard]] bool has(const std::vector<std::string>& names, const std::string& name);

/// The submixes that a change of the share concerns, by the documents alone.
[[nodiscard]] ToRebuild submixes_to_rebuild(const show::Difference& difference,
                                            const show::Show& before, const show::Show& after);
/// Whether only parameters differ: a submix that failed for another reason would fail again.
[[nodiscard]] bool is_tuned_only(show::Difference difference);
/// Whether `difference` tunes `submix`.
[[nodiscard]] bool is_tuned(const show::Difference& difference, const std::string& submix);
[[nodiscard]] std::map<std::string, std::vector<show::SlotChange>> by_submix(
    const std::vector<show::SlotChange>& changes);
/// Slots that are an end of a stream.
[[nodiscard]] std::set<std::string> stream_ends(const show::Submix& submix);
/// The streams that begin or end in `submix`.
[[nodiscard]] std::vector<show::Stream> streams_of(const std::string& submix,
                                                   const show::Show& show);
/// Whether `next` gives a stream end of `submix`, which has `streams`, to another submix. Submixes
/// in `failed` do not count: they take no frames.
[[nodiscard]] bool gives_stream_away(const std::string& submix,
                                     const std::vector<show::Stream>& streams,
                                     const show::Show& next, const std::set<std::string>& failed);

}  // namespace submix::agent
