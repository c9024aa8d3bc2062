// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/effect_picture.hpp"

#include "common/media/frame_pool.hpp"
#include "common/media/pixels.hpp"
#include "node/host/effect_trial.hpp"
#include "node/plugin/parameters.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace submix::agent {
namespace {

// Enough for echoes and feedback to be seen; 1.2 s at 20 frames a second.
constexpr std::size_t kFramesOfMemory = 24;
constexpr FrameRate kRate{20, 1};
constexpr std::size_t kSeats = 4;  // the input, the picture, and room for a filter that keeps one

media::Frame frame_of(const media::Rgb24Image& picture, media::FramePool& pool) {
  auto frame = pool.try_acquire();
  media::unpack_rgb24(picture.pixels, frame->rgba());
  return std::move(*frame).publish();
}

std::uint8_t over(unsigned color, unsigned alpha, unsigned ground) {
  return static_cast<std::uint8_t>((color * alpha + ground * (255 - alpha) + 127) / 255);
}

// Transparent pixels show squares of two greys.
media::Rgb24Image image_of(const media::Frame& frame) {
  constexpr std::size_t kSquare = 8;
  constexpr std::array<unsigned, 2> kGreys{60, 90};
  const auto rgba = frame.rgba();
  const auto width = static_cast<std::size_t>(frame.size().width);
  media::Rgb24Image image{frame.size(), {}};
  image.pixels.resize(frame.size().pixels() * 3);
  if (media::is_opaque(rgba)) {
    media::pack_rgb24(rgba, image.pixels);
    return image;
  }
  for (std::size_t i = 0; i < frame.size().pixels(); ++i) {
    const auto ground = kGreys.at((i % width / kSquare + i / width / kSquare) % 2);
    for (std::size_t c = 0; c < 3; ++c)
      image.pixels[i * 3 + c] = over(rgba[i * 4 + c], rgba[i * 4 + 3], ground);
  }
  return image;
}

/// A filter and a picture for it.
struct Look {
  const std::string& plugin;
  const plugin::Catalog& catalog;
  media::Frame input;
  media::FramePool& pool;
  std::chrono::milliseconds patience;
};

plugin::Setup setup_of(const Look& look, const Clock& clock) {
  plugin::Setup setup;
  setup.submix = "try";
  setup.slot = look.plugin;
  setup.size = look.input.size();
  setup.rate = kRate;
  setup.clock = &clock;
  return setup;
}

Result<media::Frame> try_built_in(const Look& look) {
  const SteadyClock clock;
  const auto filter = look.catalog.create(look.plugin, setup_of(look, clock));
  SUBMIX_TRY(filter);
  plugin::Work work;
  work.inputs = {&look.input, 1};
  work.pool = &look.pool;
  work.clock = &clock;
  auto frame = (*filter)->process(work);
  if (!frame) return fail("plugin \"{}\" made no picture", look.plugin);
  return *std::move(frame);
}

Result<media::Frame> try_library(const Look& look, const plugin::Description& description,
                                 std::filesystem::path file, host::HostKeeper& keeper) {
  const SteadyClock clock;
  auto setup = setup_of(look, clock);
  SUBMIX_TRY(plugin::complete_parameters(description, setup));
  const bool has_memory = description.memory != plugin::Memory::none;
  const host::EffectTrial trial{.id = look.plugin,
                                .file = std::move(file),
                                .parameters = std::move(setup.parameters),
                                .rate = kRate,
                                .frames = has_memory ? kFramesOfMemory : 1,
                                .patience = look.patience};
  return host::try_effect(keeper, trial, look.input, look.pool);
}

}  // namespace

Result<media::Rgb24Image> picture_with_effect(
    const media::Rgb24Image& picture, const std::string& plugin, const plugin::Catalog& catalog,
    const Result<std::unique_ptr<host::HostKeeper>>& hosts, std::chrono::milliseconds patience) {
  const auto description = catalog.describe(plugin);
  SUBMIX_TRY(description);
  if ((*description)->kind != plugin::Kind::filter)
    return fail("plugin \"{}\" is no effect: it is a {}", plugin,
                plugin::to_string((*description)->kind));
  auto file = catalog.library_of(plugin);
  SUBMIX_TRY(file);
  media::FramePool pool(picture.size, kSeats, media::Backing::shared);
  const Look look{plugin, catalog, frame_of(picture, pool), pool, patience};
  if (!file->empty() && !hosts) return tl::unexpected(hosts.error());
  const auto frame = file->empty() ? try_built_in(look)
                                   : try_library(look, **description, *std::move(file), **hosts);
  return frame.map(image_of);
}

}  // namespace submix::agent
