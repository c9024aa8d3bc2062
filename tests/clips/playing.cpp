// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clips/playing.hpp"

#include "node/io/clip/clip.hpp"
#include "node/io/media_folders.hpp"

#include <chrono>
#include <stop_token>
#include <thread>
#include <utility>

namespace submix::clips {

void Holds::add(const Holds& more) {
  ms.insert(ms.end(), more.ms.begin(), more.ms.end());
  late += more.late;
}

Result<std::unique_ptr<Playing>> Playing::open(const std::filesystem::path& file,
                                               const io::SourceOpener& opener,
                                               show::Parameters parameters) {
  std::unique_ptr<Playing> playing(new Playing);
  plugin::Setup setup{.submix = "left",
                      .slot = "clip",
                      .size = kSize,
                      .rate = kRate,
                      .parameters = std::move(parameters)};
  setup.parameters["file"] = file.filename().string();
  for (const auto& parameter : io::clip_description().parameters)
    setup.parameters.try_emplace(parameter.name, parameter.initial);
  setup.clock = &playing->clock_;
  setup.is_paced = true;
  auto clip = io::make_clip(setup, {file.parent_path(), {}}, opener);
  SUBMIX_TRY(clip);
  playing->clip_ = *std::move(clip);
  return playing;
}

Holds Playing::play(int frames) {
  Holds holds;
  const auto late_before = late();
  const auto period = kRate.time_of({1});
  auto due = std::chrono::steady_clock::now();
  for (int i = 0; i < frames; ++i) {
    std::this_thread::sleep_until(due);
    plugin::Work work;
    work.stamp.index = {next_++};
    work.pool = &pool_;
    work.clock = &clock_;
    const auto begun = std::chrono::steady_clock::now();
    const auto frame = clip_->process(work);
    const auto ended = std::chrono::steady_clock::now();
    holds.ms.push_back(std::chrono::duration<double, std::milli>(ended - begun).count());
    due = std::max(due + period, ended);
  }
  holds.late = late() - late_before;
  return holds;
}

std::uint64_t Playing::late() const {
  for (const auto& [name, count] : clip_->counters()) {
    if (name == "held") return count;
  }
  return 0;
}

}  // namespace submix::clips
