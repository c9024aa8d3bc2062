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

/// Why the show is another one than before.
enum class ShowCause {
  edited_here,
  replaced_here,  ///< opened, begun, or brought back as a whole
  elsewhere,      ///< by somebody else: an edit of it, or, under another name, another show
};

/// The file that the show stands in, and the copies that are kept of it: which, and when. The disk itself is
/// elsewhere (show_storage.hpp). A show that takes another one's place does not stand in that one's file; one
/// that comes back stands in its own again.
///
/// Saves    One at a time, in the order in which they were wished for, each of the show as it was then:
/// nobody's
///          wish is lost to a later one. Only two for one file, one behind the other, become one.
/// Threads  Compatible.
class ShowFile {
 public:
  using SharedShow = std::shared_ptr<const show::Show>;

  /// Copies go below `state_folder`; empty: none are kept.
  explicit ShowFile(std::filesystem::path state_folder) : state_folder_(std::move(state_folder)) {}

  /// The show as it is now; null: there is none.
  void set_show(SharedShow show, ShowCause cause);
  /// From now on the show stands in `path`, which has `text`.
  void opened(std::string path, SharedShow show, std::string text);
  /// It stands in no file any more.
  void begun() { place_ = {}; }

  /// What to write; empty while a save is under way: written() gives it then. Fails where the show stands
  /// nowhere and no path is said, and where kSavesMax wait already.
  [[nodiscard]] Result<std::optional<WriteFile>> save(const SaveShow& action);
  /// What is to be written next.
  [[nodiscard]] std::optional<WriteFile> written(const FileWritten& reply);

  /// All but the one under way end with an error; gives how many.
  std::size_t cancel_waiting();

  [[nodiscard]] std::optional<WriteFile> snapshot() const;
  /// A copy of what has changed, kAutosavePeriod after the one before; empty: not now.
  [[nodiscard]] std::optional<WriteFile> autosave(LocalTime now);
  [[nodiscard]] model::ShowFileView view() const;

 private:
  struct Place {
    std::string path;  // empty: nowhere
    std::string text;  // that the file had when it was last read or written here
    SharedShow show;   // that it has
  };
  struct Former {
    SharedShow show;
    Place place;
  };

  struct Save {
    WriteFile request;
    std::uint64_t ticket = 0;    // SaveShow's
    bool is_other_show = false;  // another one has taken the place of the one that is saved
  };

  void look_for_place();
  [[nodiscard]] Save save_of(std::string path, const SaveShow& action) const;
  void add_save(Save save);
  void end_save(std::uint64_t ticket, std::string error);
  void keep_place(const Save& save);

  std::filesystem::path state_folder_;
  Place place_;
  SharedShow show_;
  std::string
      last_name_;  // of the show, or of the one that was here before it was gone or unreadable
  std::vector<Former> former_;  // shows that were replaced, with where they stood; kFormerMax
  std::deque<Save> saves_;      // the first one is under way; kSavesMax
  std::uint64_t ticket_ended_ = 0;
  std::string save_error_;  // of that one
  SharedShow autosaved_;
  LocalTime autosave_due_{};
};

}  // namespace submix::session
