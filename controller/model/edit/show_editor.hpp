// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::model {

/// Edits of the desired show, with undo and redo. Writes to the cluster are guarded by the show's
/// revision.
///
/// Shape    Draft (people see it at once) = desired show (the cluster's) + sent edits (one write at
///          a time) + waiting edits. New edits of one thing replace older ones, so a fast slider
///          makes few writes.
/// Threads  Compatible.
/// Errors   Refuses an edit that would make the show invalid (validate()), or that sets a value
///          that the plugin does not take (value_gate.hpp). The reason is returned.
///
/// Conflicts: after another writer's change, edits of other things are written again on top of it.
/// An edit of a thing that the other writer changed is taken back, and take_conflicts() reports it.
/// Only an opened show replaces every newer change.
///
/// Lost answers: a sent write without an answer stays as it is, apart from newer edits, until a
/// show arrives. If the arrived show equals the sent one, the write succeeded; otherwise it failed.
///
/// Order: edits of values are merged, one for each thing. Edits around an edit of the structure
/// keep their order.
///
/// Undo has no limit. A step keeps the changed values, before and after: some hundred bytes for a
/// value, the changed slots for a patch. A replaced show is kept once for all steps.
class ShowEditor {
 public:
  struct Write {
    show::Show show;
    std::shared_ptr<const show::Show> before;  ///< the show that it replaces; null: none
    std::uint64_t expected_revision = 0;
    std::string title;  ///< of its edits, for messages
  };

  /// Sets the cluster's show. A revision that is not newer is ignored. Null: no show.
  void set_desired(std::shared_ptr<const show::Show> show, std::uint64_t revision);

  /// The next set_desired() counts whatever its revision: the server may have lost its old state.
  void begin_connection() { is_reconnected_ = true; }

  /// The nodes' plugins, and submixes as plugins: their limits are checked.
  void set_plugins(std::shared_ptr<const PluginMap> plugins) { plugins_ = std::move(plugins); }

  /// Edits of one thing with the same `gesture` (not 0) are one step: a drag.
  [[nodiscard]] Result<void> edit(const Edit& edit, std::uint64_t gesture = 0);
  /// An edit by a MIDI or OSC fader. It is no step and leaves undo and redo unchanged. An undo of a
  /// step on the same thing is then refused, as after another writer's change.
  [[nodiscard]] Result<void> edit_without_step(const Edit& edit);
  /// Returns the edit that was made.
  [[nodiscard]] Result<Edit> undo();
  [[nodiscard]] Result<Edit> redo();

  /// The next write. Empty while a write is under way or nothing is waiting.
  [[nodiscard]] std::optional<Write> next_write();
  /// `announced`: the show as written, if show::announce() has completed it; else null.
  void write_accepted(std::uint64_t revision,
                      std::shared_ptr<const show::Show> announced = nullptr);
  /// The revision was not the newest. The edits wait for the newer show.
  void write_refused();
  /// The outcome of the write is unknown: it is tried again.
  void write_failed();
  /// A node cannot run the show, for `reason`. The edit is taken back, and take_conflicts() reports
  /// it. Several edits are first tried one by one, so that the others are written. A declined undo
  /// or redo leaves its step in place.
  void write_declined(const std::string& reason);

  /// The desired show with all edits. Null: no show.
  [[nodiscard]] std::shared_ptr<const show::Show> draft() const { return draft_; }
  [[nodiscard]] EditView view() const;
  /// Edits that were not made, for people. Clears the list.
  [[nodiscard]] std::vector<std::string> take_conflicts();

 private:
  struct EditRecord {
    Edit before;
    Edit after;
    std::uint64_t gesture = 0;
    std::uint64_t step = 0;  ///< grows with people's steps; 0: a fader's
    bool is_redone = false;  ///< made by redo
  };
  struct StepTitle {
    std::uint64_t number = 0;
    std::string title;
  };
  /// A write that may have reached the cluster: the first `count` sent edits, and the resulting
  /// show.
  struct WriteAttempt {
    std::size_t count = 0;
    std::shared_ptr<const show::Show> result;
  };

  [[nodiscard]] Result<Edit> present_of(const Edit& edit) const;
  [[nodiscard]] Result<Edit> admitted_of(const Edit& wanted) const;
  [[nodiscard]] Result<void> begin_show(const Edit& edit);
  [[nodiscard]] std::shared_ptr<const show::Show> shared_draft() const;
  void put(const EditRecord& change);
  [[nodiscard]] Result<Edit> step(std::vector<EditRecord>& from, std::vector<EditRecord>& to,
                                  bool is_undo);
  [[nodiscard]] StepTitle newest(const std::vector<EditRecord>& changes) const;
  [[nodiscard]] std::optional<std::string> fault_of(const Edit& edit) const;
  void add_waiting(const EditRecord& change);
  void take_back(const EditRecord& declined);
  void take_to_send();
  [[nodiscard]] std::shared_ptr<const show::Show> show_to_send() const;
  void settle();
  void drop_conflicting();
  void rebuild_draft();

  std::shared_ptr<const PluginMap> plugins_;
  std::shared_ptr<const show::Show> desired_;
  std::uint64_t revision_ = 0;
  std::shared_ptr<const show::Show> draft_;
  std::vector<EditRecord> sent_;
  std::vector<WriteAttempt> attempts_;  // oldest first, each contains the one before; kAttemptsMax
  std::vector<EditRecord> waiting_;
  // Number of waiting edits to send one by one, because a node declined them together.
  std::size_t alone_ = 0;
  bool is_writing_ = false;
  std::uint64_t sent_revision_ = 0;
  bool is_reconnected_ = false;
  bool is_outdated_ = false;  // refused; the newer show has not arrived yet
  std::vector<EditRecord> undo_;
  std::vector<EditRecord> redo_;
  std::uint64_t steps_ = 0;  // steps ever made, those undone and redone included
  StepTitle written_;        // the newest of the last write
  std::vector<std::string> conflicts_;
};

}  // namespace submix::model
