// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/picture_source.hpp"
#include "node/io/clip/playhead.hpp"

#include <span>

namespace submix::io {

/// A source that decodes on the calling thread.
class LocalSource final : public PictureSource {
 public:
  /// Also decodes the first picture.
  ///
  /// Errors   As VideoReader::open().
  [[nodiscard]] static Result<std::unique_ptr<LocalSource>> open(OpenFile file, Size size);
  LocalSource(VideoReader reader, Size size);

  [[nodiscard]] Result<bool> is_ready(SteadyTime) override { return true; }
  [[nodiscard]] PaintedPicture paint(const PictureRequest& request, media::WritableFrame output,
                                     const std::stop_token& stop) override;
  [[nodiscard]] const SourceReport& report() const override { return report_; }

  /// Like paint(), onto `rgba`, a picture of the source's size. False: the known picture is the
  /// right one; `rgba` is unchanged.
  bool paint_over(const PictureRequest& request, std::span<std::uint8_t> rgba,
                  const std::stop_token& stop);

 private:
  void look_at(const ClipPicture& picture);

  Playhead playhead_;
  PicturePainter painter_;
  SourceReport report_;
};

}  // namespace submix::io
