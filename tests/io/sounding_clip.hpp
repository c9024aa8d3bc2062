// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "tests/support/eventually.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace submix::testing {

/// A tone of 1 kHz in the first tenth of each second, for FFmpeg's source of sound.
inline constexpr const char* kBursts = "if(lt(mod(t,1),0.1),0.8*sin(2*PI*1000*t),0)";

struct SoundingClip {
  std::string sound = kBursts;  ///< one channel, or several with | between them; empty: no track
  double seconds = 4;
  int rate_hz = 48'000;
  int pictures_per_second = 30;
  std::vector<std::string> options = {"-c:a", "pcm_s16le"};  ///< of the output
  double sound_begins_seconds = 0;
};

/// Writes small pictures and their sound by the program ffmpeg. The file's ending selects the
/// container.
inline void write_sounding_clip(const std::filesystem::path& path, const SoundingClip& clip) {
  std::vector<std::string> command{"ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i"};
  command.push_back(fmt::format("testsrc=size=32x32:rate={}", clip.pictures_per_second));
  if (!clip.sound.empty()) {
    for (const auto& argument :
         {std::string("-itsoffset"), fmt::format("{}", clip.sound_begins_seconds),
          std::string("-f"), std::string("lavfi"), std::string("-i"),
          fmt::format("aevalsrc='{}':s={}", clip.sound, clip.rate_hz)})
      command.push_back(argument);
  }
  command.insert(command.end(), {"-t", fmt::format("{}", clip.seconds), "-c:v", "mpeg4"});
  command.insert(command.end(), clip.options.begin(), clip.options.end());
  command.push_back(path.string());
  auto ffmpeg = ChildProcess::start(command, path.parent_path() / "ffmpeg.log");
  ASSERT_TRUE(ffmpeg) << ffmpeg.error().message;
  ASSERT_TRUE(eventually([&] { return ffmpeg->exit_status().has_value(); }));
  ASSERT_EQ(ffmpeg->exit_status(), 0) << path;
}

}  // namespace submix::testing
