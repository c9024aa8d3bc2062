// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/course.hpp"
#include "node/io/clip/video_reader.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

namespace submix::io {

/// A picture, and how long it shows.
struct Stretch {
  double begin_seconds = 0;
  double end_seconds = 0;  ///< excluded; infinite: the last picture of the file
  std::shared_ptr<const ClipPicture> picture;
  std::size_t bytes = 0;
};

/// The decoded pictures that a clip needs soonest. When the store is full, it drops the picture
/// that the course needs last. So a loop that fits is kept as a whole. Of a longer one, the store
/// keeps the part ahead and some of the pictures just shown.
///
/// Threads  Compatible.
/// Cost     add() looks at all pictures when the store is full.
class PictureStore {
 public:
  explicit PictureStore(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// Always keeps the picture that is needed first, however large it is.
  void add(Stretch stretch, const Course& course);
  /// The picture of a moment. Null: not in the store.
  [[nodiscard]] const Stretch* at(double seconds) const;
  /// The latest picture that the course has shown within the last `frames`. Null: none.
  [[nodiscard]] const Stretch* latest_passed(const Course& course, double frames) const;
  /// A moment of the course without a picture.
  struct Missing {
    double seconds = 0;
    double frames = 0;  ///< until then
  };
  /// The first missing moment. Empty: all pictures are in the store.
  [[nodiscard]] std::optional<Missing> first_missing(const Course& course) const;
  /// The room for pictures that the course needs in `frames` frames: bytes that are free, or taken
  /// by pictures that it needs later.
  [[nodiscard]] std::size_t room_for(const Course& course, double frames) const;

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t bytes_max() const { return bytes_max_; }
  [[nodiscard]] std::size_t pictures() const { return stretches_.size(); }

 private:
  using Stretches = std::map<double, Stretch>;  // by begin

  void remove(Stretches::iterator stretch);
  void make_room(const Course& course);

  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Stretches stretches_;
};

}  // namespace submix::io
