// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/clip/decode_ahead.hpp"
#include "node/io/clip/picture_source.hpp"

#include <span>

namespace submix::io {

/// A source that decodes in this process, ahead of the requests. A picture is painted on the
/// calling thread.
class LocalSource final : public PictureSource {
 public:
  /// Also decodes the first picture.
  ///
  /// Errors   As VideoReader::open().
  [[nodiscard]] static Result<std::unique_ptr<LocalSource>> open(OpenFile file, Size size,
                                                                 Fit fit = Fit::letterbox);
  LocalSource(VideoReader reader, Size size);

  [[nodiscard]] Result<bool> is_ready(SteadyTime) override { return true; }
  [[nodiscard]] PaintedPicture paint(const PictureRequest& request, media::WritableFrame output,
                                     const std::stop_token& stop) override;
  [[nodiscard]] const SourceReport& report() const override { return report_; }

  /// Like paint(), onto `rgba`, a picture of the source's size.
  PaintedPicture::Outcome paint_over(const PictureRequest& request, std::span<std::uint8_t> rgba,
                                     const std::stop_token& stop);
  /// Waits until the picture of the moment is decoded.
  void wait_for(const Course& course);
  /// Whether the latest picture is not the picture of its moment.
  [[nodiscard]] bool is_late() const { return is_late_; }

 private:
  void look_at_file();
  void look_at(const ClipPicture& picture);

  DecodeAhead ahead_;
  PicturePainter painter_;
  SourceReport report_;
  bool is_late_ = false;
};

}  // namespace submix::io
