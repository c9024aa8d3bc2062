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

/// The clips of a bank that do not play. Each is open, with the pictures from its in point on
/// decoded, so any of them can take over within a frame.
///
/// Shape    At most kBankClipsMax - 1 sources, each with kAheadSeconds of decoded pictures. Where
///          an in point moves, a source for its new place opens beside the present one.
/// Threads  Confined (the slot's owner thread).
/// Cost     set() and take() open nothing. open_next() opens at most one file.
class BankSources {
 public:
  static constexpr double kAheadSeconds = 1;
  /// Frames that an in point stays in its place before a source opens for it: an oscillator or a
  /// hand moves it with each frame.
  static constexpr int kSettledFrames = 15;
  using Open = std::function<Result<std::unique_ptr<PictureSource>>(const std::string& file,
                                                                    double begin_seconds)>;
  using Refuse = std::function<void(const Error& error)>;

  /// Holds the sources of all clips but `playing`, which counts from 1.
  void set(const show::ClipBank& bank, std::size_t playing);
  /// Clip `number` waits at another in point.
  void set_begin(std::size_t number, double seconds);
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
    void set_begin(double seconds);
    /// Opens a source or takes one over. True: it has opened a file.
    bool prepare(const Open& open, const Refuse& tell);
    void take_next();

    std::string file;  // empty: no source is held
    double begin_seconds = 0;
    std::unique_ptr<PictureSource> source{};
    double source_begin_seconds = 0;        // where the newest source began
    std::unique_ptr<PictureSource> next{};  // for another in point, until it is ready
    int settled_frames = 0;                 // of the in point
    bool is_refused = false;
    std::string refusal{};  // as told last
  };

  std::vector<Seat> seats_;  // by clip
};

}  // namespace submix::io
