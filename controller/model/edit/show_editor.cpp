// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_editor.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/follow_on.hpp"
#include "controller/model/edit/outputs.hpp"
#include "controller/model/edit/value_gate.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace submix::model {
namespace {

constexpr std::size_t kConflictsMax = 32;  // a reader needs no more at once
// of unanswered writes; older ones count as lost
constexpr std::size_t kAttemptsMax = 8;

using SharedShow = std::shared_ptr<const show::Show>;

// Whether the show has the values of `edit`. Null: there is no show.
bool has_values_of(const show::Show* show, const Edit& edit) {
  if (const auto* whole = std::get_if<ReplaceShow>(&edit)) {
    return show == nullptr || whole->show == nullptr ? (show == nullptr) == (whole->show == nullptr)
                                                     : *whole->show == *show;
  }
  const auto now = show == nullptr ? Result<Edit>(tl::unexpected(Error{})) : present(*show, edit);
  return now && *now == edit;
}

// The same, but for fades: a later value of its number has ended a fade, and nobody else has.
bool is_still_as(const show::Show* show, const Edit& edit) {
  if (std::holds_alternative<SetFade>(edit)) return true;
  if (const auto* group = std::get_if<EditGroup>(&edit)) {
    return std::ranges::all_of(group->edits,
                               [&](const Edit& part) { return is_still_as(show, part); });
  }
  return has_values_of(show, edit);
}

// Values are checked when set, and cannot make the rest of a show invalid.
bool is_value(const Edit& edit) {
  return std::holds_alternative<SetParameter>(edit) || std::holds_alternative<SetBypass>(edit);
}

// Edits `show`, unless the result would be invalid. Returns the reason, with the show unchanged.
std::optional<std::string> fault_after(show::Show& show, const Edit& edit) {
  if (is_value(edit)) {
    const auto done = apply(show, edit);
    return done ? std::nullopt : std::optional(done.error().message);
  }
  auto edited = show;
  if (const auto done = apply(edited, edit); !done) return done.error().message;
  if (const auto problems = show::validate(edited); !problems.empty()) return problems.front().text;
  show = std::move(edited);
  return std::nullopt;
}

// An edit of a removed thing has no effect here; drop_conflicting() reports it.
template <typename Changes>
void apply_where_possible(show::Show& show, const Changes& changes) {
  for (const auto& change : changes) {
    [[maybe_unused]] const auto done = apply(show, change.after);
  }
}

// The edit with the values that it leaves unchanged filled in, so that it can be compared with a
// show.
Edit completed(const show::Show& show, Edit edit) {
  if (auto* group = std::get_if<EditGroup>(&edit)) {
    for (auto& part : group->edits)
      part = completed(show, std::move(part));
  } else if (auto* policy = std::get_if<SetPolicy>(&edit);
             policy != nullptr && !policy->pause_budget) {
    if (const auto* stream = show.find_stream(policy->stream))
      policy->pause_budget = stream->pause_budget;
  }
  return edit;
}

show::Show copy_of(const SharedShow& show) {
  return show == nullptr ? show::Show() : *show;
}

}  // namespace

void ShowEditor::set_desired(std::shared_ptr<const show::Show> show, std::uint64_t revision) {
  if (desired_ != nullptr && revision <= revision_ && !is_reconnected_) return;
  is_reconnected_ = false;
  desired_ = std::move(show);
  revision_ = revision;
  is_outdated_ = false;
  if (!is_writing_) settle();
  rebuild_draft();
}

Result<Edit> ShowEditor::present_of(const Edit& edit) const {
  if (draft_ == nullptr)
    return fail("{}: there is no show yet; open one, or begin a new one", title(edit));
  auto before = present(*draft_, edit);
  if (!before) return fail("{}: {}", title(edit), before.error().message);
  return before;
}

// The edit with values as the plugins take them, completed().
Result<Edit> ShowEditor::admitted_of(const Edit& wanted) const {
  auto edit = draft_ == nullptr ? wanted : completed(*draft_, wanted);
  static const PluginMap kNone;
  auto admitted = model::admitted(draft_.get(), plugins_ == nullptr ? kNone : *plugins_, edit);
  if (!admitted) return fail("{}: {}", title(edit), admitted.error().message);
  return admitted;
}

Result<void> ShowEditor::edit_without_step(const Edit& wanted) {
  const auto edit = admitted_of(wanted);
  SUBMIX_TRY(edit);
  const auto before = present_of(*edit);
  SUBMIX_TRY(before);
  if (*before == *edit) return {};
  if (const auto fault = fault_of(*edit)) return fail("{}: {}", title(*edit), *fault);
  put({*before, *edit, 0});
  return {};
}

Result<void> ShowEditor::edit(const Edit& wanted, std::uint64_t gesture) {
  const auto admitted = admitted_of(wanted);
  SUBMIX_TRY(admitted);
  const auto& edit = *admitted;
  if (draft_ == nullptr) return begin_show(edit);
  // An undo would begin a film, or end it.
  if (is_recording_switch(*draft_, edit)) return edit_without_step(edit);
  auto before = present_of(edit);
  SUBMIX_TRY(before);
  if (*before == edit) return {};
  if (const auto fault = fault_of(edit)) return fail("{}: {}", title(edit), *fault);
  if (auto* whole = std::get_if<ReplaceShow>(&*before)) whole->show = shared_draft();
  const bool continues = gesture != 0 && !undo_.empty() && undo_.back().gesture == gesture &&
                         is_same_target(undo_.back().after, edit);
  if (continues) {
    undo_.back().after = edit;
  } else {
    undo_.push_back({*before, edit, gesture, ++steps_});
  }
  put({*before, edit, gesture, undo_.back().step});
  redo_.clear();
  return {};
}

// The draft, as the pointer that the newest step keeps if both shows are equal. Each show is so
// kept once.
SharedShow ShowEditor::shared_draft() const {
  const auto* last = undo_.empty() ? nullptr : std::get_if<ReplaceShow>(&undo_.back().after);
  const bool is_kept = last != nullptr && last->show != nullptr && *last->show == *draft_;
  return is_kept ? last->show : draft_;
}

// Begins or opens the first show. An undo has nothing to bring back.
Result<void> ShowEditor::begin_show(const Edit& edit) {
  if (!std::holds_alternative<ReplaceShow>(edit))
    return fail("{}: there is no show yet; open one, or begin a new one", title(edit));
  if (const auto fault = fault_of(edit)) return fail("{}: {}", title(edit), *fault);
  put({ReplaceShow{nullptr, title(edit)}, edit, 0, ++steps_});
  return {};
}

Result<Edit> ShowEditor::undo() {
  return step(undo_, redo_, true);
}
Result<Edit> ShowEditor::redo() {
  return step(redo_, undo_, false);
}

// Undoes or redoes the last step. A step whose thing another writer has changed since is reported
// and dropped: undoing it would undo the other's work. A replaced show comes back whatever happened
// to its replacement, and redo then brings that one back. No step brings a follow-on back: its time
// would be over, or come as a surprise.
Result<Edit> ShowEditor::step(std::vector<EditRecord>& from, std::vector<EditRecord>& to,
                              bool is_undo) {
  const char* verb = is_undo ? "undo" : "redo";
  if (from.empty()) return fail("nothing to {}", verb);
  auto change = from.back();
  from.pop_back();
  auto& expected = is_undo ? change.after : change.before;
  auto wanted = with_following(is_undo ? change.before : change.after, std::nullopt);
  if (draft_ != nullptr) expected = with_following(std::move(expected), draft_->following);
  if (auto* whole = std::get_if<ReplaceShow>(&expected);
      whole != nullptr && !has_values_of(draft_.get(), expected))
    whole->show = draft_;
  if (draft_ == nullptr || !is_still_as(draft_.get(), expected)) {
    return fail("{} of \"{}\" left out: it was changed elsewhere meanwhile", verb,
                title(change.after));
  }
  if (const auto fault = fault_of(wanted)) {
    return fail("{} of \"{}\" left out: {}", verb, title(change.after), *fault);
  }
  put({expected, wanted, 0, ++steps_});
  to.push_back({std::move(change.before), std::move(change.after), 0, steps_, !is_undo});
  return wanted;
}

void ShowEditor::put(const EditRecord& change) {
  add_waiting(change);
  rebuild_draft();
}

// Why the draft cannot be edited this way. Empty: it can.
std::optional<std::string> ShowEditor::fault_of(const Edit& edit) const {
  auto trial = copy_of(draft_);
  return fault_after(trial, edit);
}

// Merges two edits of one thing, unless a broad edit lies between them: the newer edit may name a
// thing that the broad edit made.
void ShowEditor::add_waiting(const EditRecord& change) {
  for (auto known = waiting_.rbegin(); known != waiting_.rend(); ++known) {
    if (is_same_target(known->after, change.after)) {
      known->after = change.after;
      known->step = change.step;
      if (known->before == known->after) waiting_.erase(std::next(known).base());
      return;
    }
    if (is_broad(known->after) || is_broad(change.after)) break;
  }
  waiting_.push_back(change);
}

std::optional<ShowEditor::Write> ShowEditor::next_write() {
  const bool has_something = !waiting_.empty() || !sent_.empty();
  if (is_writing_ || is_outdated_ || draft_ == nullptr || !has_something) return std::nullopt;
  if (sent_.empty() || alone_ == 0) take_to_send();
  const auto show = show_to_send();
  if (attempts_.empty() || attempts_.back().count != sent_.size())
    attempts_.push_back({sent_.size(), show});
  if (attempts_.size() > kAttemptsMax) attempts_.erase(attempts_.begin());
  is_writing_ = true;
  sent_revision_ = revision_;
  return Write{*show, desired_, revision_, title(sent_.back().after)};
}

void ShowEditor::take_to_send() {
  const bool is_alone = alone_ > 0 && !waiting_.empty();
  const auto last = is_alone ? std::next(waiting_.begin()) : waiting_.end();
  sent_.insert(sent_.end(), std::make_move_iterator(waiting_.begin()),
               std::make_move_iterator(last));
  waiting_.erase(waiting_.begin(), last);
  alone_ = is_alone ? alone_ - 1 : 0;
}

SharedShow ShowEditor::show_to_send() const {
  if (waiting_.empty()) return draft_;
  auto show = copy_of(desired_);
  apply_where_possible(show, sent_);
  return std::make_shared<const show::Show>(std::move(show));
}

void ShowEditor::write_accepted(std::uint64_t revision, SharedShow announced) {
  is_writing_ = false;
  if (revision > revision_) {
    desired_ = announced == nullptr ? attempts_.back().result : std::move(announced);
    revision_ = revision;
  }
  written_ = newest(sent_);
  sent_.clear();
  attempts_.clear();
  drop_conflicting();
  rebuild_draft();
}

void ShowEditor::write_refused() {
  is_writing_ = false;
  is_outdated_ = sent_revision_ == revision_;
  if (!is_outdated_) settle();
  rebuild_draft();
}

void ShowEditor::write_declined(const std::string& reason) {
  is_writing_ = false;
  auto declined = std::exchange(sent_, {});
  attempts_.clear();
  if (declined.size() > 1) {
    alone_ = declined.size();
    waiting_.insert(waiting_.begin(), std::make_move_iterator(declined.begin()),
                    std::make_move_iterator(declined.end()));
  }
  drop_conflicting();
  rebuild_draft();
  if (declined.size() != 1) return;
  if (conflicts_.size() < kConflictsMax)
    conflicts_.push_back(title(declined.front().after) + ": not done, " + reason);
  take_back(declined.front());
}

// Removes the step of a declined edit; a declined undo or redo can be tried again. If several steps
// on one thing became one change, all of them come back, up to the value in the draft.
void ShowEditor::take_back(const EditRecord& declined) {
  if (declined.step == 0) return;
  const auto is_same_step = [&](const EditRecord& step) { return step.step == declined.step; };
  const bool was_undo = std::ranges::any_of(redo_, is_same_step);
  const auto done = std::ranges::find_if(undo_, is_same_step);
  const bool was_redo = done != undo_.end() && done->is_redone;
  if (!was_undo && !was_redo) {
    std::erase_if(undo_, is_same_step);
    return;
  }
  auto& from = was_undo ? redo_ : undo_;
  auto& to = was_undo ? undo_ : redo_;
  for (auto step = from.end(); step != from.begin();) {
    --step;
    if (!is_same_target(step->after, declined.after)) continue;
    const bool is_last = has_values_of(draft_.get(), was_undo ? step->after : step->before);
    to.push_back(std::move(*step));
    step = from.erase(step);
    if (is_last) return;
  }
}

void ShowEditor::write_failed() {
  is_writing_ = false;
  if (sent_revision_ != revision_) settle();
  rebuild_draft();
}

// A newer show has arrived. Edits that it contains are done; the other sent edits wait again,
// before newer ones.
void ShowEditor::settle() {
  const auto is_this = [&](const WriteAttempt& attempt) {
    return desired_ != nullptr && (attempt.result == desired_ || *attempt.result == *desired_);
  };
  const auto landed = std::find_if(attempts_.rbegin(), attempts_.rend(), is_this);
  const auto done = landed == attempts_.rend() ? 0 : static_cast<std::ptrdiff_t>(landed->count);
  auto rest = std::exchange(sent_, {});
  rest.erase(rest.begin(), rest.begin() + done);
  attempts_.clear();
  auto newer = std::exchange(waiting_, std::move(rest));
  for (const auto& change : newer)
    add_waiting(change);
  drop_conflicting();
}

// In order: later edits may name things that earlier edits make.
void ShowEditor::drop_conflicting() {
  if (waiting_.empty()) return;
  auto reached = copy_of(desired_);
  bool has_show = desired_ != nullptr;
  std::vector<EditRecord> kept;
  for (auto& change : waiting_) {
    const auto* now = has_show ? &reached : nullptr;
    if (has_values_of(now, change.after)) continue;  // done already
    const bool is_whole = std::holds_alternative<ReplaceShow>(change.after);
    auto fault = std::optional<std::string>(has_show ? "somebody else changed it first"
                                                     : "the show is gone");
    if (is_whole || is_still_as(now, change.before)) fault = fault_after(reached, change.after);
    if (!fault) {
      has_show = true;
      kept.push_back(std::move(change));
    } else if (conflicts_.size() < kConflictsMax) {
      conflicts_.push_back(title(change.after) + ": not written, " + *fault);
    }
  }
  waiting_ = std::move(kept);
}

void ShowEditor::rebuild_draft() {
  draft_ = desired_;
  if (sent_.empty() && waiting_.empty()) return;
  auto draft = copy_of(desired_);
  apply_where_possible(draft, sent_);
  apply_where_possible(draft, waiting_);
  draft_ = std::make_shared<const show::Show>(std::move(draft));
}

// The newest step may stand anywhere, because changes of one thing are merged.
ShowEditor::StepTitle ShowEditor::newest(const std::vector<EditRecord>& changes) const {
  const auto found = std::ranges::max_element(changes, {}, &EditRecord::step);
  if (found == changes.end() || found->step == 0) return {};
  const bool is_undo = !redo_.empty() && redo_.back().step == found->step;
  return {found->step, is_undo ? "undo of " + title(redo_.back().after) : title(found->after)};
}

EditView ShowEditor::view() const {
  const bool is_writing = is_writing_ || !waiting_.empty() || !sent_.empty();
  auto step = is_writing ? newest(waiting_) : written_;
  if (is_writing && step.number == 0) step = newest(sent_);
  return {.undo_title = undo_.empty() ? std::string() : title(undo_.back().after),
          .redo_title = redo_.empty() ? std::string() : title(redo_.back().after),
          .is_undo_structural = !undo_.empty() && is_structural(undo_.back().after),
          .is_redo_structural = !redo_.empty() && is_structural(redo_.back().after),
          .is_writing = is_writing,
          .undo_step = undo_.empty() ? 0 : undo_.back().step,
          .writing_step = step.number,
          .writing_title = std::move(step.title)};
}

std::vector<std::string> ShowEditor::take_conflicts() {
  return std::exchange(conflicts_, {});
}

}  // namespace submix::model
