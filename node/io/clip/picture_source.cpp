// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/picture_source.hpp"

#include "node/io/clip/local_source.hpp"
#include "node/io/parameters.hpp"

#include <utility>

namespace submix::io {

// A paced patch gives another process the time of one frame.
SourceSetup source_setup(const plugin::Setup& setup) {
  return {.slot = setup.about(),
          .size = setup.size,
          .fit = fit_named(parameter<std::string>(setup.parameters, "fit")),
          .timeout = setup.events == nullptr ? kTrialTimeout : kSourceTimeout,
          .patience = setup.is_paced ? setup.rate.time_of({1}) : kSourcePatience,
          .events = setup.events,
          .clock = setup.clock};
}

SourceOpener::SourceOpener()
    : open_([](OpenFile file, const SourceSetup& setup) -> Result<std::unique_ptr<PictureSource>> {
        return LocalSource::open(std::move(file), setup.size, setup.fit);
      }) {}

Result<std::unique_ptr<PictureSource>> open_ready(const SourceOpener& opener, Result<OpenFile> file,
                                                  const SourceSetup& setup) {
  SUBMIX_TRY(file);
  auto source = opener.open(*std::move(file), setup);
  if (!source) return source;

  const auto ready = (*source)->is_ready(std::chrono::steady_clock::now() + setup.timeout);
  SUBMIX_TRY(ready);
  if (!*ready) {
    return fail(
        "{}: not one picture came within {} s; take a simpler file, or copy it to a faster disk",
        (*source)->name(), setup.timeout.count());
  }
  return source;
}

Result<std::vector<std::uint8_t>> read_picture(PictureSource& source, const PictureRequest& request,
                                               Size size, const SourceOpener& opener) {
  const auto backing = opener.is_elsewhere() ? media::Backing::shared : media::Backing::own;
  media::FramePool pool(size, 1 + source.frames_retained(), backing);
  const auto deadline = PictureSource::SteadyTime::clock::now() + kSourceTimeout;
  while (PictureSource::SteadyTime::clock::now() < deadline) {
    auto output = pool.try_acquire();
    if (!output) break;
    auto painted = source.paint(request, *std::move(output), {});
    if (!painted.output) continue;
    const auto pixels = painted.output->rgba();
    return std::vector<std::uint8_t>(pixels.begin(), pixels.end());
  }
  return fail("{}: cannot be decoded: its decoder gives no picture", source.name());
}

}  // namespace submix::io
