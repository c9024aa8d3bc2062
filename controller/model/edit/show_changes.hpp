// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <chrono>
#include <string>

/// Changes to a show's submixes, streams, nodes, size and rate, each as one edit.
///
/// Errors   Why the change is impossible, with the remedy. validate() checks the whole show.
namespace submix::model {

/// A submix with one slot: a "pattern", or another plugin without inputs.
struct NewSubmix {
  std::string name;
  std::string node{};  ///< empty: no node runs it yet
  std::string plugin = "pattern";
};
[[nodiscard]] Result<Edit> add_submix(const show::Show& show, const NewSubmix& submix);
/// Deletes a submix with its streams. Refused while other submixes contain it or it is the output
/// chain.
[[nodiscard]] Result<Edit> delete_submix(const show::Show& show, const std::string& name);
/// Renames a submix. Streams, slots that stand for it and the output chain follow. Its node
/// restarts it.
[[nodiscard]] Result<Edit> rename_submix(const show::Show& show, const std::string& name,
                                         const std::string& new_name);
[[nodiscard]] Result<Edit> set_frames_in_flight(const show::Show& show, const std::string& submix,
                                                int frames);

/// The policy of new streams: one performer's failure stops nobody else. Frames that are late by
/// less than the pause budget all arrive. (In a file, a stream without a policy means "wait".)
inline constexpr auto kNewStreamPolicy = show::InputPolicy::hold;
inline constexpr std::chrono::milliseconds kNewStreamPauseBudget{300};

/// A cable from an output to an input. An empty slot means the submix's only "stream-out" or free
/// "stream-in".
struct NewStream {
  show::Port from;
  show::Port to;
  std::string name{};  ///< empty: made from the submixes' names
  /// Replaces the stream that feeds the input now, and takes over its policy.
  bool replaces_others = false;
};
[[nodiscard]] Result<Edit> add_stream(const show::Show& show, const NewStream& stream);
[[nodiscard]] Result<Edit> delete_stream(const show::Show& show, const std::string& name);
/// The stream starts a new epoch under its new name.
[[nodiscard]] Result<Edit> rename_stream(const show::Show& show, const std::string& name,
                                         const std::string& new_name);
[[nodiscard]] Result<Edit> set_pixels(const show::Show& show, const std::string& stream,
                                      PixelFormat pixels);
[[nodiscard]] Result<Edit> set_checksum(const show::Show& show, const std::string& stream,
                                        Checksum checksum);
[[nodiscard]] Result<Edit> set_encryption(const show::Show& show, const std::string& stream,
                                          bool is_encrypted);
[[nodiscard]] Result<Edit> set_local(const show::Show& show, const std::string& stream,
                                     bool is_allowed);

[[nodiscard]] Result<Edit> add_node(const show::Show& show, const std::string& name,
                                    const std::string& description);
/// Renames a node. Its submixes and cues about it follow. A node of the new name runs them from
/// then on.
[[nodiscard]] Result<Edit> rename_node(const show::Show& show, const std::string& name,
                                       const std::string& new_name);
/// Refused while the node runs a submix.
[[nodiscard]] Result<Edit> delete_node(const show::Show& show, const std::string& name);

}  // namespace submix::model
