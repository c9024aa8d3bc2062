// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/recording.hpp"

#include "node/io/parts_join.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

namespace fs = std::filesystem;

constexpr double kPartSeconds = 1.0;

/// Parts of the folder that a process left, oldest first: their names sort by time.
std::vector<fs::path> parts_within(const fs::path& folder) {
  std::vector<fs::path> parts;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() == ".mkv") parts.push_back(entry->path());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace

fs::path numbered_beside(const fs::path& path) {
  std::error_code ignored;
  for (int number = 1;; ++number) {
    auto candidate = path;
    candidate.replace_filename(
        fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
    if (!fs::exists(candidate, ignored)) return candidate;
  }
}

fs::path parts_folder(const fs::path& path) {
  return path.string() + ".parts";
}

Result<fs::path> join_leftover_parts(const fs::path& path) {
  const auto parts = parts_within(parts_folder(path));
  if (parts.empty()) return fs::path();
  auto joined_path = numbered_beside(path);
  if (auto joined = join_parts(parts, 0, joined_path); !joined) return tl::unexpected(joined.error());
  std::error_code ignored;
  fs::remove_all(parts_folder(path), ignored);
  return joined_path;
}

Result<std::unique_ptr<Recording>> WholeRecording::create(const fs::path& path, const TrackFormat& track) {
  auto file = MatroskaFile::create(path, *track.parameters, track.time_base);
  if (!file) return tl::unexpected(file.error());
  return std::unique_ptr<Recording>(new WholeRecording(std::move(*file), track.time_base));
}

Result<std::unique_ptr<Recording>> RollingRecording::create(const fs::path& path, TrackFormat track,
                                                            double keep_seconds) {
  std::error_code error;
  fs::create_directory(parts_folder(path), error);
  if (error) return fail("{}: cannot be made: {}", parts_folder(path).string(), error.message());
  std::unique_ptr<RollingRecording> made(new RollingRecording(path, std::move(track), keep_seconds));
  if (auto begun = made->begin_part(); !begun) return tl::unexpected(begun.error());
  return made;
}

RollingRecording::RollingRecording(fs::path path, TrackFormat track, double keep_seconds)
    : path_(std::move(path)), track_(std::move(track)) {
  const double rate = 1 / av_q2d(track_.time_base);
  keep_frames_ = std::max<std::int64_t>(1, std::llround(keep_seconds * rate));
  frames_per_part_ = std::max<std::int64_t>(1, std::llround(kPartSeconds * rate));
}

Result<void> RollingRecording::begin_part() {
  if (auto finished = finish_part(); !finished) return finished;
  const auto path = parts_folder(path_) / fmt::format("{:012}.mkv", frames_);
  auto file = MatroskaFile::create(path, *track_.parameters, track_.time_base);
  if (!file) return tl::unexpected(file.error());
  open_part_.emplace(std::move(*file));
  parts_.push_back({path, frames_});
  return {};
}

Result<void> RollingRecording::finish_part() {
  if (!open_part_) return {};
  auto finished = open_part_->finish();
  open_part_.reset();
  return finished;
}

Result<void> RollingRecording::write(const AVPacket& packet) {
  const bool is_key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (is_key && frames_ - parts_.back().first_frame >= frames_per_part_) {
    if (auto begun = begin_part(); !begun) return begun;
    drop_old_parts();
  }
  if (!open_part_) return fail("{}: an earlier part could not be made", path_.string());
  ++frames_;
  return open_part_->write(packet, track_.time_base);
}

void RollingRecording::drop_old_parts() {
  std::error_code ignored;
  while (parts_.size() > 1 && parts_[1].first_frame <= frames_ - keep_frames_) {
    fs::remove(parts_.front().path, ignored);
    parts_.pop_front();
  }
}

Result<void> RollingRecording::finish() {
  auto finished = finish_part();
  std::error_code error;
  if (frames_ == 0) {  // a film of nothing would not play
    fs::remove_all(parts_folder(path_), error);
    return finished;
  }
  std::vector<fs::path> paths;
  for (const auto& part : parts_)
    paths.push_back(part.path);
  const double from =
      static_cast<double>(std::max<std::int64_t>(0, frames_ - keep_frames_)) * av_q2d(track_.time_base);
  // Whole or not at all: a reader never sees half a file, and a failure leaves the parts.
  const fs::path fresh = path_.string() + ".new";
  if (auto joined = join_parts(paths, from, fresh); !joined) {
    return fail("{}; the parts in {} play", joined.error().message, parts_folder(path_).string());
  }
  fs::rename(fresh, path_, error);
  if (error) return fail("{}: cannot be replaced: {}", path_.string(), error.message());
  fs::remove_all(parts_folder(path_), error);
  return finished;
}

}  // namespace submix::io
