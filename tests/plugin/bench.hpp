// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/catalog.hpp"
#include "tests/support/event_log.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace submix::plugin {

/// Runs plugins without an engine: a catalog, a pool, and pictures as inputs.
class Bench {
 public:
  explicit Bench(Size size = {256, 128}, media::Backing backing = media::Backing::own,
                 MediaFiles files = {})
      : size_(size), pool_(size, 16, backing) {
    add_built_ins(catalog_, std::move(files));
  }

  Catalog& catalog() { return catalog_; }
  testing::EventLog& events() { return events_; }
  media::FramePool& pool() { return pool_; }

  Result<std::unique_ptr<Plugin>> make(std::string_view id, show::Parameters parameters = {}) {
    Setup setup{.submix = "left",
                .slot = "fx",
                .size = size_,
                .rate = {30, 1},
                .parameters = std::move(parameters)};
    setup.events = &events_;
    setup.clock = &clock_;
    return catalog_.create(id, std::move(setup));
  }

  /// Frame `index`, by `plugin`, from `inputs`.
  media::Frame run(Plugin& plugin, std::uint64_t index, std::vector<media::Frame> inputs = {},
                   std::uint64_t epoch = 1) {
    Work work;
    work.inputs = inputs;
    work.stamp = {epoch, {index}, FrameRate{30, 1}.time_of({index}), {}};
    work.pool = &pool_;
    work.clock = &clock_;
    auto frame = plugin.process(work);
    EXPECT_TRUE(frame.has_value());
    return frame.value_or(media::Frame());
  }

  /// Like run(), with an input that the plugin may take.
  media::Frame run_on(Plugin& plugin, media::Frame input) {
    Work work;
    work.inputs = {&input, 1};
    work.stamp = input.stamp();
    work.pool = &pool_;
    work.clock = &clock_;
    work.takeable = &input;
    return plugin.process(work).value_or(media::Frame());
  }

  /// A picture in which every byte differs from its neighbours; alpha is opaque.
  media::Frame noise(std::uint32_t seed) {
    auto writable = *pool_.try_acquire();
    auto rgba = writable.rgba();
    for (std::size_t i = 0; i < rgba.size(); ++i) {
      seed = seed * 1664525U + 1013904223U;
      rgba[i] = i % 4 == 3 ? std::uint8_t{255} : static_cast<std::uint8_t>(seed >> 24U);
    }
    return std::move(writable).publish();
  }

  media::Frame filled(std::uint8_t red, std::uint8_t green, std::uint8_t blue,
                      std::uint8_t alpha = 255) {
    auto writable = *pool_.try_acquire();
    auto rgba = writable.rgba();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      rgba[i] = red;
      rgba[i + 1] = green;
      rgba[i + 2] = blue;
      rgba[i + 3] = alpha;
    }
    return std::move(writable).publish();
  }

  /// A copy of `into` with the rows [first, last) of `from`: a torn frame.
  media::Frame splice(const media::Frame& into, const media::Frame& from, int first, int last) {
    auto writable = *pool_.try_acquire();
    const auto row = static_cast<std::size_t>(size_.width) * 4;
    std::copy(into.rgba().begin(), into.rgba().end(), writable.rgba().begin());
    const auto part = from.rgba().subspan(static_cast<std::size_t>(first) * row,
                                          static_cast<std::size_t>(last - first) * row);
    std::copy(part.begin(), part.end(),
              writable.rgba().begin() +
                  static_cast<std::ptrdiff_t>(first) * static_cast<std::ptrdiff_t>(row));
    return std::move(writable).publish();
  }

 private:
  Size size_;
  testing::EventLog events_;
  testing::ManualClock clock_;
  media::FramePool pool_;
  Catalog catalog_;
};

inline std::vector<std::uint8_t> bytes_of(const media::Frame& frame) {
  return {frame.rgba().begin(), frame.rgba().end()};
}

}  // namespace submix::plugin
