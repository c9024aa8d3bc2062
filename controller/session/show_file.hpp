// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/session/actions.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

inline constexpr std::chrono::seconds kAutosavePeriod{10};
inline constexpr std::size_t kSavesMax = 32;  // nobody saves under so many names while a disk hangs

/// Why the show has changed.
enum class ShowCause {
  edited_here,
  replaced_here,  ///< opened, begun, or brought back as a whole
  elsewhere,      ///< by another controller: an edit, or another show under another name
};

/// Knows the file of the present show, and decides which copies are kept and when. show_storage.hpp
/// writes to the disk. A show that replaces another show does not belong to that show's file. A
/// show that returns belongs to its own file again.
///
/// Saves    One at a time, in the order of the requests, each with the show of that moment. No save
///          is replaced by a later one, except by the next waiting save to the same file.
/// Threads  Compatible.
class ShowFile {
 public:
  using SharedShow = std::shared_ptr<const show::Show>;

  /// Copies are kept below `state_folder`. Empty: none are kept.
  explicit ShowFile(std::filesystem::path state_folder) : state_folder_(std::move(state_folder)) {}

  /// Sets the present show. Null: there is none.
  void set_show(SharedShow show, ShowCause cause);
  /// From now on the show belongs to the file `path`, whose content is `text`.
  void opened(std::string path, SharedShow show, std::string text);
  /// The show belongs to no file.
  void begun();

  /// The request that finds the file of a show of an earlier session. Returned once.
  [[nodiscard]] std::optional<FindFileOfShow> search();
  /// Takes the file, unless the show has another one by now. `revision` is the present show's.
  ///
  /// Errors   The file is gone or has other content, or its show has given way to another one of
  ///          the same name. The show then belongs to no file.
  [[nodiscard]] Result<void> found(const FileOfShowFound& reply, std::uint64_t revision);
  /// A note of the show's file for the next session. Empty: nothing has changed.
  [[nodiscard]] std::optional<WriteFile> note(std::uint64_t revision);

  /// The request that saves. Empty: another save is under way, and written() will return this save
  /// later.
  ///
  /// Errors   The show has no file and no path is given, or kSavesMax saves wait already.
  [[nodiscard]] Result<std::optional<WriteFile>> save(const SaveShow& action);
  /// Ends the save that was under way, and returns the next one.
  [[nodiscard]] std::optional<WriteFile> written(const FileWritten& reply);

  /// Ends all waiting saves with an error, except the one under way. Returns how many.
  std::size_t cancel_waiting();

  [[nodiscard]] std::optional<WriteFile> snapshot() const;
  /// A copy of the changed show, kAutosavePeriod after the previous copy. Empty: nothing to write
  /// now.
  [[nodiscard]] std::optional<WriteFile> autosave(LocalTime now);
  [[nodiscard]] model::ShowFileView view() const;

 private:
  struct SavedFile {
    std::string path;  // empty: no file
    std::string text;  // the file's content when it was last read or written here
    SharedShow show;   // the show in the file
  };
  /// The content of note().
  struct Noted {
    std::string show_name;
    std::string path;
    std::string text;

    friend bool operator==(const Noted&, const Noted&) = default;
  };
  struct FormerShow {
    SharedShow show;
    SavedFile file;
  };

  struct PendingSave {
    WriteFile request;
    std::uint64_t ticket = 0;    // SaveShow's ticket
    bool is_other_show = false;  // another show has replaced the saved one
  };

  void find_file();
  [[nodiscard]] std::string note_path() const;
  [[nodiscard]] PendingSave save_of(std::string path, const SaveShow& action) const;
  void add_save(PendingSave save);
  void end_save(std::uint64_t ticket, std::string error);
  void keep_file(const PendingSave& save);

  std::filesystem::path state_folder_;
  SavedFile file_;
  SharedShow show_;
  std::string last_name_;  // of the show; while it is gone or unreadable, of the show before
  std::vector<FormerShow> former_;  // replaced shows with their files; at most kFormerMax
  std::deque<PendingSave> saves_;   // the first is under way; at most kSavesMax
  std::uint64_t ticket_ended_ = 0;
  std::string save_error_;  // of the save with this ticket
  SharedShow autosaved_;
  bool is_sought_ = false;  // the file of an earlier session
  bool forgets_note_ = false;
  Noted noted_;
  LocalTime autosave_due_{};
};

}  // namespace submix::session
