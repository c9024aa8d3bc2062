// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::session {

/// The opening of a show file. The file is read, and its clips and stills are looked for. A person
/// is asked about missing files, and the chosen files are copied. take() then returns the show that
/// replaces the present show; until then nothing changes.
///
/// Shape    One opening at a time; begin() cancels the previous opening.
/// Threads  Compatible.
class ShowOpening {
 public:
  /// A show to be applied. Its file has other content if files were relinked.
  struct Opened {
    std::string path;
    std::string text;                           ///< of the file
    std::shared_ptr<const show::Show> in_file;  ///< the show in the file
    std::shared_ptr<const show::Show> to_be_shown;
  };

  [[nodiscard]] ReadFile begin(std::string path);
  void cancel();

  /// Takes the file's content. Empty: the content belongs to no opening, or needs no search; then
  /// see take() without arguments.
  ///
  /// Errors   The file cannot be read or parsed; the opening is over.
  [[nodiscard]] Result<std::optional<FindMissingMedia>> take(FileRead& reply,
                                                             const std::vector<std::string>& nodes);
  /// False: the reply belongs to no opening.
  bool take(MissingMediaFound& reply);
  /// Takes a person's answer. Returns the copies that it needs.
  ///
  /// Errors   Two of the copies would have the same name; the question stays open.
  [[nodiscard]] Result<std::vector<CopyMedia>> answer(const std::vector<ChosenMedia>& choices);
  /// A copy for the opening `number` has ended. True: it failed, and the question is open again.
  bool end_copy(std::uint64_t number, const Result<void>& result);
  /// A person has stopped all copies.
  void stop_copies();

  /// The show, once there is nothing left to wait for. The opening is then over.
  [[nodiscard]] std::optional<Opened> take();

  /// The file that is being read or searched; empty: none.
  [[nodiscard]] std::string path_under_way() const;
  /// Null: nothing is asked.
  [[nodiscard]] const std::shared_ptr<const model::OpenQuestion>& question() const {
    return question_;
  }

 private:
  enum class Phase { none, reading, searching, asking, copying, ready };

  void ask(std::string error);
  [[nodiscard]] Result<void> choose(const model::MissingFile& missing, const ChosenMedia* choice,
                                    std::vector<CopyMedia>& copies);

  Phase phase_ = Phase::none;
  std::uint64_t number_ = 0;  // grows with each opening and each answer that has failed
  std::string path_;
  std::string text_;
  std::shared_ptr<const show::Show> show_;  // in the file
  std::vector<model::MissingFile> missing_;
  std::vector<model::Relink> links_;  // as answered
  std::size_t copies_ = 0;            // under way
  std::shared_ptr<const model::OpenQuestion> question_;
};

}  // namespace submix::session
