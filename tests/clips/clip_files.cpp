// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clips/clip_files.hpp"

#include "common/base/child_process.hpp"
#include "common/base/files.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

namespace submix::clips {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t kFileBytesMax = std::size_t{1} << 30U;

Arguments picture(const std::string& options) {
  return {"-f", "lavfi", "-i", "testsrc2=" + options};
}

Arguments h264(const std::string& pictures_per_key) {
  return {"-c:v",           "libx264",     "-preset",        "veryfast",      "-g",
          pictures_per_key, "-keyint_min", pictures_per_key, "-sc_threshold", "0"};
}

/// Overwrites some bytes in the second half of a file's pictures.
Result<void> damage(const std::filesystem::path& path) {
  auto bytes = read_text_file(path, kFileBytesMax);
  SUBMIX_TRY(bytes);
  constexpr std::size_t kHoles = 5;
  constexpr std::size_t kHoleBytes = 200;
  for (std::size_t hole = 0; hole < kHoles; ++hole)
    bytes->replace(bytes->size() * (10 + hole) / 20, kHoleBytes, kHoleBytes, '\x5a');
  return write_file_atomically(path, *bytes);
}

}  // namespace

std::vector<ClipFile> clip_files() {
  const auto alpha = "size=640x360:rate=30,format=yuva420p,geq=lum='lum(X,Y)':a='255*lt(X,W/2)'";
  return {
      {"one-key.mp4", 10, {}, h264("9999")},
      {"groups-12.mp4", 10, {}, h264("12")},
      {"groups-250.mp4", 10, picture("size=1920x1080:rate=30"), h264("250")},
      {"hevc.mkv", 10, {}, {"-c:v", "libx265", "-preset", "ultrafast", "-g", "60"}},
      {"variable.mkv",
       10,
       {"-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=60,select='mod(n,7)*mod(n,3)'", "-vsync",
        "vfr"},
       h264("60")},
      {"59.94.mp4", 10, picture("size=1280x720:rate=60000/1001"), h264("60")},
      {"rotated.mp4", 10, {"-i", "one-key.mp4", "-metadata:s:v", "rotate=90"}, {"-c", "copy"}},
      {"vp9-alpha.webm",
       10,
       picture(alpha),
       {"-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-deadline", "realtime", "-cpu-used", "8",
        "-g", "60", "-auto-alt-ref", "0"}},
      {"prores-4444.mov",
       10,
       {},
       {"-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"}},
      {"mjpeg.avi", 10, {}, {"-c:v", "mjpeg", "-q:v", "4"}},
      {"4k.mp4", 6, picture("size=3840x2160:rate=30"), h264("30")},
      {"damaged.mp4", 10, {}, h264("30"), true},
  };
}

Result<void> make_clip_file(const ClipFile& clip, const std::filesystem::path& folder) {
  const auto path = folder / clip.name;
  if (std::filesystem::exists(path)) return {};
  const auto log = folder / (clip.name + ".log");
  Arguments command{"ffmpeg", "-nostdin", "-y"};
  auto source = clip.source.empty() ? picture("size=1280x720:rate=30") : clip.source;
  for (auto& word : source)
    command.push_back(word == "one-key.mp4" ? (folder / word).string() : word);
  command.insert(command.end(), clip.encoding.begin(), clip.encoding.end());
  command.insert(command.end(), {"-t", fmt::format("{}", clip.seconds), path.string()});

  auto encoder = ChildProcess::start(command, log);
  SUBMIX_TRY(encoder);
  while (!encoder->exit_status())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (*encoder->exit_status() != 0)
    return fail("ffmpeg cannot make {}: see {}", clip.name, log.string());
  if (clip.is_damaged) return damage(path);
  return {};
}

}  // namespace submix::clips
