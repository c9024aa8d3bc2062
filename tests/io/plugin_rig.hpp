// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/frame_pool.hpp"
#include "node/io/ffmpeg_log.hpp"
#include "node/plugin/plugin.hpp"
#include "tests/support/event_log.hpp"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace submix::testing {

/// Does a stage's work for its plugin, one frame at a time, on the test's thread.
class PluginRig {
 public:
  explicit PluginRig(Size size = {128, 64}, FrameRate rate = {30, 1},
                     media::Backing backing = media::Backing::own)
      : size_(size), rate_(rate), pool_(size, 6, backing) {
    io::silence_ffmpeg();
  }

  /// "left.<id>", with the description's initial parameters and `changes`.
  [[nodiscard]] plugin::Setup setup(const plugin::Description& description,
                                    show::Parameters changes) {
    plugin::Setup setup;
    setup.submix = "left";
    setup.slot = description.id;
    setup.size = size_;
    setup.rate = rate_;
    setup.parameters = std::move(changes);
    for (const auto& parameter : description.parameters)
      setup.parameters.try_emplace(parameter.name, parameter.initial);
    setup.events = &events;
    setup.clock = &clock_;
    setup.is_paced = is_paced;
    return setup;
  }
  /// Frame `index` of a source.
  [[nodiscard]] media::Frame make(plugin::Plugin& source, std::uint64_t index) {
    return run(source, {}, index);
  }
  /// Frame `index` of any other plugin.
  [[nodiscard]] media::Frame run(plugin::Plugin& plugin, std::vector<media::Frame> inputs,
                                 std::uint64_t index) {
    plugin::Work work;
    work.inputs = inputs;
    work.stamp.index = {index};
    work.position = index;
    work.pool = &pool_;
    work.stop = stop.get_token();
    work.clock = &clock_;
    return plugin.process(work).value_or(media::Frame());
  }
  /// Throws if nobody gives a seat back: a display's thread may hold one frame more while it
  /// changes them.
  [[nodiscard]] media::WritableFrame blank() {
    return pool_.acquire_for(std::chrono::seconds(5)).value();
  }

  EventLog events;
  std::stop_source stop;
  bool is_paced = false;  ///< of the setups to come

 private:
  Size size_;
  FrameRate rate_;
  media::FramePool pool_;
  SteadyClock clock_;
};

}  // namespace submix::testing
