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

/// Edits of the desired show, with undo and redo, on their way to the cluster under its revision fence.
///
/// Shape    desired (what the cluster has) + sent (one write at a time) + waiting (edits made meanwhile, one
///          for each thing) = draft (what people see at once). A fast slider so makes few writes.
/// Fence    When somebody else wrote first, edits of things they did not touch are written again on top of
///          theirs; an edit of a thing they did touch is taken back, and conflicts() says so. Only a whole
///          show that was opened goes on top of whatever came first: that is what opening means.
/// Doubt    What was sent and not answered stays as it is, apart from newer edits, until a show comes: one
/// that is what
///          was sent has it, any other has not.
/// Order    Edits of values are gathered, one for each thing; those around an edit of the structure stay in
///          the order in which they were made.
/// Verdict  An edit that would put the show out of order (validate()), or that sets what a plugin does not
///          take (value_gate.hpp), is refused with the reason.
/// Undo     Without a limit. A step keeps what it has changed, before and after: a value some hundred bytes,
/// slots
///          the ones that are other; a show that took another one's place is kept once for all steps.
/// Threads  Compatible.
class ShowEditor {
 public:
  struct Write {
    show::Show show;
    std::shared_ptr<const show::Show> before;  ///< what it takes the place of; null: nothing
    std::uint64_t expected_revision = 0;
    std::string title;  ///< of its edits, for messages
  };

  /// The cluster's show, as it is now; a revision that is not newer is ignored. Null: there is none.
  void set_desired(std::shared_ptr<const show::Show> show, std::uint64_t revision);

  /// The cluster may be another now (a server without its old state): the next set_desired() counts.
  void begin_connection() { is_reconnected_ = true; }

  /// What nodes have told of their plugins, and submixes as plugins: what values are checked by.
  void set_plugins(std::shared_ptr<const PluginMap> plugins) { plugins_ = std::move(plugins); }

  /// Edits with the same `gesture` (not 0) on the same thing are one step: a drag.
  [[nodiscard]] Result<void> edit(const Edit& edit, std::uint64_t gesture = 0);
  /// What a fader of MIDI or OSC does: it is no step, and leaves undo and redo as they are. An undo of a step
  /// on the same thing is then refused, as after somebody else's change.
  [[nodiscard]] Result<void> edit_without_step(const Edit& edit);
  /// Give what was done to the show.
  [[nodiscard]] Result<Edit> undo();
  [[nodiscard]] Result<Edit> redo();

  /// What to write now; empty while a write is under way or there is nothing to write.
  [[nodiscard]] std::optional<Write> next_write();
  void write_accepted(std::uint64_t revision);
  /// The revision was not the newest: the edits wait for the show that was written meanwhile.
  void write_refused();
  /// Nobody knows whether it was written: tried again.
  void write_failed();
  /// A node cannot run it, for `reason`: the edit is taken back, and conflicts() says so. Of several edits
  /// each is tried alone first, so that the others are written all the same. An undo or redo that is declined
  /// leaves its step where it was.
  void write_declined(const std::string& reason);

  /// The desired show with all edits; null without one.
  [[nodiscard]] std::shared_ptr<const show::Show> draft() const { return draft_; }
  [[nodiscard]] EditView view() const;
  /// What was not done, for people; asking clears it.
  [[nodiscard]] std::vector<std::string> take_conflicts();

 private:
  struct Change {
    Edit before;
    Edit after;
    std::uint64_t gesture = 0;
    std::uint64_t step = 0;  ///< grows with what people do; 0: a fader's
    bool is_redone = false;  ///< redo did it
  };
  struct Step {
    std::uint64_t number = 0;
    std::string title;
  };
  /// A write that may have reached the cluster: the first `count` of what was sent, and the show that they
  /// make.
  struct Attempt {
    std::size_t count = 0;
    std::shared_ptr<const show::Show> result;
  };

  [[nodiscard]] Result<Edit> present_of(const Edit& edit) const;
  [[nodiscard]] Result<Edit> admitted_of(const Edit& wanted) const;
  [[nodiscard]] Result<void> begin_show(const Edit& edit);
  [[nodiscard]] std::shared_ptr<const show::Show> shared_draft() const;
  void put(const Change& change);
  [[nodiscard]] Result<Edit> step(std::vector<Change>& from, std::vector<Change>& to, bool is_undo);
  [[nodiscard]] Step newest(const std::vector<Change>& changes) const;
  [[nodiscard]] std::optional<std::string> fault_of(const Edit& edit) const;
  void add_waiting(const Change& change);
  void take_back(const Change& declined);
  void take_to_send();
  [[nodiscard]] std::shared_ptr<const show::Show> show_to_send() const;
  void settle();
  void drop_conflicting();
  void rebuild_draft();

  std::shared_ptr<const PluginMap> plugins_;
  std::shared_ptr<const show::Show> desired_;
  std::uint64_t revision_ = 0;
  std::shared_ptr<const show::Show> draft_;
  std::vector<Change> sent_;
  std::vector<Attempt> attempts_;  // oldest first, each with all of the one before; kAttemptsMax
  std::vector<Change> waiting_;
  std::size_t alone_ =
      0;  // so many of those that wait are sent one by one: together they were declined
  bool is_writing_ = false;
  std::uint64_t sent_revision_ = 0;
  bool is_reconnected_ = false;
  bool is_outdated_ = false;  // refused; the newer show has not come yet
  std::vector<Change> undo_;
  std::vector<Change> redo_;
  std::uint64_t steps_ = 0;  // made ever, those taken back and done again among them
  Step written_;             // the newest of the last write
  std::vector<std::string> conflicts_;
};

}  // namespace submix::model
