// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/clip_bank.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/io/media_folders.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace submix::io {

/// The clips of a bank that do not play. Each is open, with the pictures of its beginning decoded,
/// so any of them can take over within a frame.
///
/// Shape    At most kBankClipsMax - 1 sources, each with kAheadSeconds of decoded pictures.
/// Threads  Confined (the slot's owner thread).
/// Cost     set() and take() open nothing. open_next() opens at most one file.
class BankSources {
 public:
  static constexpr double kAheadSeconds = 1;
  using Open = std::function<Result<std::unique_ptr<PictureSource>>(const std::string& file)>;
  using Refuse = std::function<void(const Error& error)>;

  /// Holds the sources of all clips but `playing`, which counts from 1.
  void set(const show::ClipBank& bank, std::size_t playing);
  /// Opens the next file. A file that cannot be opened is tried again after try_again(). It is
  /// refused again only for another reason.
  void open_next(const Open& open, const Refuse& refuse);
  /// A file that could not be opened may be there now.
  void try_again(std::size_t number);
  /// The source of clip `number`, once its first picture is there. Null: not yet, or never.
  [[nodiscard]] std::unique_ptr<PictureSource> take(std::size_t number, const Refuse& refuse);

 private:
  struct Seat {
    void refuse(const Error& error, const Refuse& tell);

    std::string file;  // empty: no source is held
    std::unique_ptr<PictureSource> source{};
    bool is_refused = false;
    std::string refusal{};  // as told last
  };

  std::vector<Seat> seats_;  // by clip
};

}  // namespace submix::io
