// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/media/frame_pool.hpp"
#include "node/io/clip/picture_source.hpp"
#include "node/plugin/plugin.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace submix::clips {

/// How a clip's slot behaved.
struct Holds {
  std::vector<double> ms;  ///< for each frame, how long the slot kept its chain waiting
  std::uint64_t late = 0;  ///< frames that showed another picture than that of their moment

  void add(const Holds& more);
};

/// A clip that plays at the pace of a clock, as in a show.
class Playing {
 public:
  static constexpr Size kSize{1280, 720};
  static constexpr FrameRate kRate{30, 1};

  [[nodiscard]] static Result<std::unique_ptr<Playing>> open(const std::filesystem::path& file,
                                                             const io::SourceOpener& opener,
                                                             show::Parameters parameters);

  [[nodiscard]] Holds play(int frames);
  void set(const std::string& name, double value) { clip_->set(name, value); }

 private:
  Playing() : pool_(kSize, 8, media::Backing::shared) {}
  [[nodiscard]] std::uint64_t late() const;

  SteadyClock clock_;
  media::FramePool pool_;
  std::unique_ptr<plugin::Plugin> clip_;
  std::uint64_t next_ = 0;
};

}  // namespace submix::clips
