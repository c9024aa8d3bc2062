// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/missing_source.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace submix::io {
namespace {

using MissingOutcome = PaintedPicture::Outcome;

class MissingSource final : public PictureSource {
 public:
  explicit MissingSource(std::string reason)
      : PictureSource("missing file"), reason_(std::move(reason)) {
    report_.serial = 1;
  }

  Result<bool> is_ready(SteadyTime) override { return true; }

  PaintedPicture paint(const PictureRequest& request, media::WritableFrame output,
                       const std::stop_token&) override {
    if (request.known_serial == report_.serial) return {MissingOutcome::known, std::move(output)};
    const auto rgba = output.rgba();
    std::ranges::fill(rgba, std::uint8_t{0});
    for (std::size_t alpha = 3; alpha < rgba.size(); alpha += 4)
      rgba[alpha] = 255;
    return {MissingOutcome::painted, std::move(output)};
  }

  [[nodiscard]] const SourceReport& report() const override { return report_; }
  [[nodiscard]] std::string trouble() const override { return reason_; }
  [[nodiscard]] bool is_missing() const override { return true; }
  // As many as a source in another process, which replaces this source later.
  [[nodiscard]] std::size_t frames_retained() const override { return 2; }

 private:
  const std::string reason_;
  SourceReport report_;
};

}  // namespace

Result<std::unique_ptr<PictureSource>> open_or_miss(const SourceOpener& opener,
                                                    Result<OpenFile> file, const SourceSetup& setup,
                                                    bool is_bypassed) {
  auto source = open_ready(opener, std::move(file), setup);
  if (source || !is_bypassed) return source;
  return std::make_unique<MissingSource>(source.error().message);
}

}  // namespace submix::io
