// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <chrono>
#include <string>

/// Changes to what a show is made of: submixes, streams, nodes, size and rate; each one edit.
///
/// Errors   Why it cannot be, with the remedy; whether the whole show is in order is for validate() to say.
namespace submix::model {

/// With one slot, a "pattern", unless another plugin is named that reads nothing.
struct NewSubmix {
  std::string name;
  std::string node{};  ///< empty: nobody runs it yet
  std::string plugin = "pattern";
};
[[nodiscard]] Result<Edit> add_submix(const show::Show& show, const NewSubmix& submix);
/// Its streams go with it. Refused while it stands in others or is the output chain.
[[nodiscard]] Result<Edit> delete_submix(const show::Show& show, const std::string& name);
/// Streams, slots that stand for it and the output chain follow. Its node starts it anew under the new name.
[[nodiscard]] Result<Edit> rename_submix(const show::Show& show, const std::string& name,
                                         const std::string& new_name);
[[nodiscard]] Result<Edit> set_frames_in_flight(const show::Show& show, const std::string& submix,
                                                int frames);

/// Of streams that people add: one performer's failure stops nobody else. Frames that are late by less than
/// this still come, all of them. A file that states no policy means "wait".
inline constexpr auto kNewStreamPolicy = show::InputPolicy::hold;
inline constexpr std::chrono::milliseconds kNewStreamPauseBudget{300};

/// A cable from an output to an input. An empty slot is the submix's one "stream-out" or free "stream-in".
struct NewStream {
  show::Port from;
  show::Port to;
  std::string name{};  ///< empty: made from the submixes'
  bool replaces_others =
      false;  ///< takes the place, and the policy, of the stream that feeds the input now
};
[[nodiscard]] Result<Edit> add_stream(const show::Show& show, const NewStream& stream);
[[nodiscard]] Result<Edit> delete_stream(const show::Show& show, const std::string& name);
/// It starts a new epoch under its new name.
[[nodiscard]] Result<Edit> rename_stream(const show::Show& show, const std::string& name,
                                         const std::string& new_name);
[[nodiscard]] Result<Edit> set_checksum(const show::Show& show, const std::string& stream,
                                        Checksum checksum);
[[nodiscard]] Result<Edit> set_local(const show::Show& show, const std::string& stream,
                                     bool is_allowed);

[[nodiscard]] Result<Edit> add_node(const show::Show& show, const std::string& name,
                                    const std::string& description);
/// What it runs, and cues that speak of it, follow; a node of the new name runs it from then on.
[[nodiscard]] Result<Edit> rename_node(const show::Show& show, const std::string& name,
                                       const std::string& new_name);
/// Refused while it runs a submix.
[[nodiscard]] Result<Edit> delete_node(const show::Show& show, const std::string& name);

}  // namespace submix::model
