// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/course.hpp"
#include "node/io/clip/picture_store.hpp"

#include <optional>

namespace submix::io {

/// Reads a file's pictures in order, and seeks.
class StretchReader {
 public:
  StretchReader() = default;
  StretchReader(const StretchReader&) = delete;
  StretchReader& operator=(const StretchReader&) = delete;
  virtual ~StretchReader() = default;

  /// read_on() returns all pictures from this moment on. Infinite: the end was read.
  [[nodiscard]] virtual double position_seconds() const = 0;
  /// Whether a seek to a later moment is likely to skip pictures.
  [[nodiscard]] virtual bool can_skip_to(double seconds) const = 0;
  /// Decodes one picture. Empty: the previous picture stays, or a seek has just ended.
  [[nodiscard]] virtual std::optional<Stretch> read_on() = 0;
  /// Goes to a key picture at or before `seconds`.
  virtual void seek(double seconds) = 0;
};

/// Decides what a reader does next, so that the store has each picture before the clip shows it.
///
/// Threads  Compatible.
class ReadPlan {
 public:
  enum class Step { rest, read_on, seek };
  struct Choice {
    Step step = Step::rest;
    double seconds = 0;  ///< where to seek to
  };

  [[nodiscard]] Choice choose(const PictureStore& store, const Course& course,
                              const StretchReader& reader);

 private:
  bool is_filling_ = false;  // until the store is full
};

}  // namespace submix::io
