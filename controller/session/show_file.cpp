// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/show_file.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "controller/session/file_note.hpp"
#include "controller/session/show_comments.hpp"
#include "controller/session/show_storage.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::size_t kFormerMax = 16;

bool is_same(const ShowFile::SharedShow& a, const ShowFile::SharedShow& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

void ShowFile::set_show(SharedShow show, ShowCause cause) {
  if (show == show_) return;
  const bool has_other_name = show != nullptr && !last_name_.empty() && show->name != last_name_;
  if (show != nullptr) last_name_ = show->name;
  const bool is_replaced =
      cause == ShowCause::replaced_here || (cause == ShowCause::elsewhere && has_other_name);
  auto before = std::exchange(show_, std::move(show));
  if (!is_replaced) return;
  for (auto& save : saves_)
    save.is_other_show = true;
  former_.push_back({std::move(before), std::exchange(file_, {})});
  if (former_.size() > kFormerMax) former_.erase(former_.begin());
  find_file();
}

// Finds the file to which the show belonged when it was last here.
void ShowFile::find_file() {
  const auto is_it = [&](const FormerShow& former) {
    return is_same(former.show, show_) ||
           (former.file.show != nullptr && is_same(former.file.show, show_));
  };
  const auto found = std::find_if(former_.rbegin(), former_.rend(), is_it);
  if (found != former_.rend()) file_ = found->file;
}

void ShowFile::opened(std::string path, SharedShow show, std::string text) {
  file_ = {std::move(path), std::move(text), std::move(show)};
}

// The note of a former show of this name would lead to its file.
void ShowFile::begun() {
  file_ = {};
  is_sought_ = true;
  forgets_note_ = true;
}

std::optional<FindFileOfShow> ShowFile::search() {
  if (show_ == nullptr || is_sought_ || state_folder_.empty()) return std::nullopt;
  is_sought_ = true;
  if (!file_.path.empty()) return std::nullopt;
  return FindFileOfShow{show_->name, note_path()};
}

// In a new life of the control plane the revisions begin again.
Result<void> ShowFile::found(const FileOfShowFound& reply, std::uint64_t revision) {
  const bool is_late = show_ == nullptr || show_->name != reply.show_name || !file_.path.empty();
  if (is_late) return {};
  if (!reply.file) return fail("{}", reply.file.error().message);
  if (!*reply.file) return {};

  const auto& found = **reply.file;
  auto parsed = show::parse(found.text, found.path);
  if (!parsed) return fail("{}", show::to_string(parsed.error()));
  show::forget_fades(*parsed);
  const auto in_file = std::make_shared<const show::Show>(*std::move(parsed));
  if (!is_same(in_file, show_) && revision <= found.revision)
    return fail("{}: has an earlier show \"{}\"", found.path, show_->name);
  opened(found.path, in_file, found.text);
  noted_ = {show_->name, found.path, found.text};
  return {};
}

std::optional<WriteFile> ShowFile::note(std::uint64_t revision) {
  if (show_ == nullptr || state_folder_.empty()) return std::nullopt;
  if (file_.path.empty() && !std::exchange(forgets_note_, false)) return std::nullopt;
  Noted now{show_->name, file_.path, file_.text};
  if (now == noted_) return std::nullopt;
  noted_ = std::move(now);
  return WriteFile{.purpose = WriteFile::Purpose::note,
                   .path = note_path(),
                   .text = note_text({file_.path, file_.text, revision})};
}

std::string ShowFile::note_path() const {
  return (state_folder_ / "files" / file_name_of(show_->name)).string();
}

Result<std::optional<WriteFile>> ShowFile::save(const SaveShow& action) {
  // The file to which it will belong once the save under way is written.
  const bool is_moving = !saves_.empty() && !saves_.back().is_other_show;
  const auto& usual = is_moving ? saves_.back().request.path : file_.path;
  const auto refuse = [&](std::string why) {
    end_save(action.ticket, why);
    return fail("{}", why);
  };
  if (show_ == nullptr) return refuse("there is no show to be saved");
  if (action.path.empty() && usual.empty())
    return refuse("the show stands in no file yet; say which");
  if (saves_.size() >= kSavesMax)
    return refuse(fmt::format(
        "not saved: {} saves wait for the disk already, which does not answer; try again later",
        saves_.size()));
  add_save(save_of(action.path.empty() ? usual : action.path, action));
  return saves_.size() == 1 ? std::optional(saves_.front().request) : std::nullopt;
}

ShowFile::PendingSave ShowFile::save_of(std::string path, const SaveShow& action) const {
  PendingSave save{{.path = std::move(path),
                    .text = std::string(leading_comments(file_.text)) + show::to_toml(*show_),
                    .show = show_,
                    .may_replace = action.may_replace},
                   action.ticket};
  if (save.request.path == file_.path) save.request.expected_text = file_.text;
  return save;
}

// A waiting save to the same file is replaced by the newer one.
void ShowFile::add_save(PendingSave save) {
  const bool has_waiting = saves_.size() > 1;
  if (has_waiting && saves_.back().request.path == save.request.path &&
      (saves_.back().ticket == 0 || save.ticket == 0)) {
    save.ticket = std::max(save.ticket, saves_.back().ticket);
    save.request.may_replace = save.request.may_replace || saves_.back().request.may_replace;
    saves_.pop_back();
  }
  saves_.push_back(std::move(save));
}

void ShowFile::end_save(std::uint64_t ticket, std::string error) {
  if (ticket == 0) return;
  ticket_ended_ = ticket;
  save_error_ = std::move(error);
}

// Also holds for a show that was replaced meanwhile: it knows the content of its file.
void ShowFile::keep_file(const PendingSave& save) {
  const auto& request = save.request;
  if (!save.is_other_show) opened(request.path, request.show, request.text);
  const auto keep = [&](SavedFile& file, const SharedShow& show) {
    const bool is_first = file.path.empty() && is_same(show, request.show);
    if (is_first || file.path == request.path) file = {request.path, request.text, request.show};
  };
  keep(file_, show_);
  for (auto& former : former_)
    keep(former.file, former.show);
  for (auto& waiting : saves_) {
    if (waiting.request.path == request.path) waiting.request.expected_text = request.text;
  }
}

std::optional<WriteFile> ShowFile::written(const FileWritten& reply) {
  const auto& request = reply.request;
  if (request.purpose == WriteFile::Purpose::autosave && reply.copy) autosaved_ = request.show;
  if (request.purpose != WriteFile::Purpose::save || saves_.empty()) return std::nullopt;
  const auto save = std::move(saves_.front());
  saves_.pop_front();
  end_save(save.ticket, reply.copy ? std::string() : reply.copy.error().message);
  if (reply.copy) keep_file(save);
  return saves_.empty() ? std::nullopt : std::optional(saves_.front().request);
}

// Only the last end is reported, and a person waits only for the newest save.
std::size_t ShowFile::cancel_waiting() {
  const auto count = saves_.empty() ? 0 : saves_.size() - 1;
  for (std::size_t i = 1; i < saves_.size(); ++i)
    end_save(saves_[i].ticket, saves_[i].request.path + ": not written: it was given up");
  if (count > 0) saves_.erase(saves_.begin() + 1, saves_.end());
  return count;
}

std::optional<WriteFile> ShowFile::snapshot() const {
  if (show_ == nullptr || state_folder_.empty()) return std::nullopt;
  const auto folder = state_folder_ / "snapshots" / file_name_of(show_->name);
  return WriteFile{.purpose = WriteFile::Purpose::snapshot,
                   .path = folder.string(),
                   .text = show::to_toml(*show_),
                   .show = show_};
}

std::optional<WriteFile> ShowFile::autosave(LocalTime now) {
  const bool is_due = show_ != nullptr && !state_folder_.empty() && now >= autosave_due_;
  if (!is_due || is_same(show_, autosaved_)) return std::nullopt;
  autosave_due_ = now + kAutosavePeriod;
  const auto file = state_folder_ / "autosave" / (file_name_of(show_->name) + ".toml");
  return WriteFile{.purpose = WriteFile::Purpose::autosave,
                   .path = file.string(),
                   .text = show::to_toml(*show_),
                   .show = show_};
}

model::ShowFileView ShowFile::view() const {
  const bool is_modified = file_.show != nullptr && show_ != nullptr && !is_same(file_.show, show_);
  return {.path = file_.path,
          .is_modified = is_modified,
          .is_saving = !saves_.empty(),
          .opening = {},
          .ticket_ended = ticket_ended_,
          .save_error = save_error_};
}

}  // namespace submix::session
