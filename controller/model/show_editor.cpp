// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/show_editor.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

constexpr std::size_t kConflictsMax = 32;  // nobody reads more at once

// Whether the show still (or again) has what `edit` says.
bool holds(const show::Show& show, const Edit& edit) {
  const auto now = present(show, edit);
  return now && *now == edit;
}

// An edit of something that is gone has no effect here; drop_conflicting() says so.
template <typename Changes>
void apply_where_possible(show::Show& show, const Changes& changes) {
  for (const auto& change : changes) {
    [[maybe_unused]] const auto done = apply(show, change.after);
  }
}

}  // namespace

void ShowEditor::set_desired(std::shared_ptr<const show::Show> show, std::uint64_t revision) {
  if (desired_ != nullptr && revision <= revision_ && !is_reconnected_) return;
  is_reconnected_ = false;
  desired_ = std::move(show);
  revision_ = revision;
  is_outdated_ = false;
  if (!is_writing_) drop_conflicting();
  rebuild_draft();
}

Result<void> ShowEditor::edit(const Edit& edit, std::uint64_t gesture) {
  if (draft_ == nullptr) return fail("{}: there is no show yet; apply one first", title(edit));
  const auto before = present(*draft_, edit);
  if (!before) return fail("{}: {}", title(edit), before.error().message);
  if (*before == edit) return {};
  put({*before, edit, gesture});
  const bool continues = gesture != 0 && !undo_.empty() && undo_.back().gesture == gesture &&
                         is_same_target(undo_.back().after, edit);
  if (continues) {
    undo_.back().after = edit;
  } else {
    undo_.push_back({*before, edit, gesture});
  }
  redo_.clear();
  return {};
}

Result<void> ShowEditor::undo() {
  return step(undo_, redo_, true);
}
Result<void> ShowEditor::redo() {
  return step(redo_, undo_, false);
}

// A step whose thing somebody else has changed since is said and dropped: undoing it would undo their work.
Result<void> ShowEditor::step(std::vector<Change>& from, std::vector<Change>& to, bool is_undo) {
  const char* verb = is_undo ? "undo" : "redo";
  if (from.empty()) return fail("nothing to {}", verb);
  const auto change = from.back();
  from.pop_back();
  const auto& expected = is_undo ? change.after : change.before;
  const auto& wanted = is_undo ? change.before : change.after;
  if (draft_ == nullptr || !holds(*draft_, expected)) {
    return fail("{} of \"{}\" left out: it was changed elsewhere meanwhile", verb, title(change.after));
  }
  to.push_back({change.before, change.after, 0});
  put({expected, wanted, 0});
  return {};
}

void ShowEditor::put(const Change& change) {
  add_waiting(change);
  rebuild_draft();
}

void ShowEditor::add_waiting(const Change& change) {
  const auto same = std::ranges::find_if(
      waiting_, [&](const Change& known) { return is_same_target(known.after, change.after); });
  if (same == waiting_.end()) {
    waiting_.push_back(change);
  } else {
    same->after = change.after;
  }
}

std::optional<ShowEditor::Write> ShowEditor::next_write() {
  if (is_writing_ || is_outdated_ || draft_ == nullptr || waiting_.empty()) return std::nullopt;
  sent_ = std::exchange(waiting_, {});
  is_writing_ = true;
  sent_revision_ = revision_;
  return Write{*draft_, revision_, title(sent_.back().after)};
}

void ShowEditor::write_accepted(std::uint64_t revision) {
  is_writing_ = false;
  if (revision > revision_ && desired_ != nullptr) {
    auto written = *desired_;
    apply_where_possible(written, sent_);
    desired_ = std::make_shared<const show::Show>(std::move(written));
    revision_ = revision;
  }
  sent_.clear();
  drop_conflicting();
  rebuild_draft();
}

void ShowEditor::write_refused() {
  is_outdated_ = sent_revision_ == revision_;
  resume_sent();
}

void ShowEditor::write_failed() {
  resume_sent();
}

// What was sent is older than what waits.
void ShowEditor::resume_sent() {
  is_writing_ = false;
  auto newer = std::exchange(waiting_, std::exchange(sent_, {}));
  for (const auto& change : newer)
    add_waiting(change);
  drop_conflicting();
  rebuild_draft();
}

void ShowEditor::drop_conflicting() {
  std::erase_if(waiting_, [&](const Change& change) {
    if (desired_ == nullptr || holds(*desired_, change.after)) return true;  // gone, or done already
    if (holds(*desired_, change.before)) return false;
    if (conflicts_.size() < kConflictsMax) {
      conflicts_.push_back(title(change.after) + ": not written, somebody else changed it first");
    }
    return true;
  });
}

void ShowEditor::rebuild_draft() {
  if (desired_ == nullptr || (sent_.empty() && waiting_.empty())) {
    draft_ = desired_;
    return;
  }
  auto draft = *desired_;
  apply_where_possible(draft, sent_);
  apply_where_possible(draft, waiting_);
  draft_ = std::make_shared<const show::Show>(std::move(draft));
}

EditView ShowEditor::view() const {
  return {.undo_title = undo_.empty() ? std::string() : title(undo_.back().after),
          .redo_title = redo_.empty() ? std::string() : title(redo_.back().after),
          .is_writing = is_writing_ || !waiting_.empty()};
}

std::vector<std::string> ShowEditor::take_conflicts() {
  return std::exchange(conflicts_, {});
}

}  // namespace submix::model
