// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/demo_clip.hpp"

#include "common/base/child_process.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace submix::cli {
namespace {

constexpr std::chrono::seconds kPatience(60);

std::vector<std::string> ffmpeg_command(const std::filesystem::path& file) {
  return {"ffmpeg",   "-hide_banner", "-loglevel",
          "error",    "-y",           "-f",
          "lavfi",    "-i",           "gradients=size=1280x720:rate=30:nb_colors=6:speed=0.03",
          "-t",       "10",           "-c:v",
          "libx264",  "-preset",      "ultrafast",
          "-pix_fmt", "yuv420p",      "-f",
          "mp4",      file.string()};
}

Result<int> run_bounded(const std::vector<std::string>& command,
                        const std::filesystem::path& log_file, StopSignal& stop) {
  auto child = ChildProcess::start(command, log_file);
  SUBMIX_TRY(child);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!child->exit_status()) {
    if (std::chrono::steady_clock::now() > deadline)
      return fail("{}: not done after {} s; see {}", command[0], kPatience.count(),
                  log_file.string());
    if (stop.wait_for(std::chrono::milliseconds(20))) return fail("interrupted");
  }
  return *child->exit_status();
}

}  // namespace

Result<void> make_demo_clip(const std::filesystem::path& file, StopSignal& stop) {
  if (std::filesystem::exists(file)) return {};
  const auto unfinished = file.string() + ".part";
  const auto log_file = file.string() + ".log";
  const auto status = run_bounded(ffmpeg_command(unfinished), log_file, stop);
  SUBMIX_TRY(status);
  if (*status != 0)
    return fail("ffmpeg could not make {} (status {}); see {}", file.string(), *status, log_file);
  std::filesystem::rename(unfinished, file);
  std::filesystem::remove(log_file);
  return {};
}

}  // namespace submix::cli
