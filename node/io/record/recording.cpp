// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/recording.hpp"

#include "node/io/record/parts_join.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

namespace fs = std::filesystem;

constexpr double kPartSeconds = 1.0;
constexpr std::string_view kTimeOfFilm = "{time}";

bool is_part(const std::string& name) {
  return fs::path(name).extension() == ".mkv";
}

/// The parts that a process has left, oldest first: their names sort by time.
std::vector<std::string> parts_within(const OpenFolder& folder) {
  auto parts = folder.names();
  std::erase_if(parts, [](const auto& name) { return !is_part(name); });
  return parts;
}

/// Removes the parts, and the folder if it is then empty.
void remove_parts(const RecordingPlace& place, const OpenFolder& folder) {
  for (const auto& name : parts_within(folder))
    folder.remove(name);
  place.folder->remove(parts_name(place.name));
}

}  // namespace

std::string film_name(const std::string& name, const std::tm& local) {
  const auto at = name.find(kTimeOfFilm);
  if (at == std::string::npos) return name;
  return std::string(name).replace(at, kTimeOfFilm.size(),
                                   fmt::format("{:%Y-%m-%d-%H%M%S}", local));
}

RecordingPlace numbered_beside(const RecordingPlace& place) {
  const fs::path name(place.name);
  for (int number = 1;; ++number) {
    auto candidate =
        fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string());
    if (place.folder->entry_type(candidate) == OpenFolder::EntryType::none)
      return place.beside(std::move(candidate));
  }
}

std::string parts_name(const std::string& file) {
  return file + ".parts";
}

Result<void> check_parts_folder(const RecordingPlace& place) {
  const auto name = parts_name(place.name);
  const auto former = place.folder->entry_type(name);
  if (former == OpenFolder::EntryType::none) return {};
  const auto folder = place.folder->open_folder(name);
  const auto about = place.beside(name).path().string();
  if (!folder)
    return fail("{}: parts cannot be written there: is no folder; name another file", about);
  const auto writable = folder->check_writing();
  return writable ? Result<void>()
                  : fail("{}: parts cannot be written there: {}", about, writable.error().message);
}

Result<std::optional<RecordingPlace>> join_leftover_parts(const RecordingPlace& place) {
  const auto folder = place.folder->open_folder(parts_name(place.name));
  const auto parts = folder ? parts_within(*folder) : std::vector<std::string>();
  if (parts.empty()) return std::nullopt;
  auto joined_place = numbered_beside(place);
  SUBMIX_TRY(join_parts(*folder, parts, 0, joined_place));
  remove_parts(place, *folder);
  return joined_place;
}

Result<std::unique_ptr<Recording>> WholeRecording::create(const RecordingPlace& place,
                                                          const TrackFormat& track) {
  auto file = MatroskaFile::create(place, *track.parameters, track.time_base);
  SUBMIX_TRY(file);
  return std::unique_ptr<Recording>(new WholeRecording(std::move(*file), track.time_base));
}

Result<std::unique_ptr<Recording>> RollingRecording::create(const RecordingPlace& place,
                                                            TrackFormat track,
                                                            double keep_seconds) {
  const auto former = place.folder->entry_type(place.name);
  if (former == OpenFolder::EntryType::folder || former == OpenFolder::EntryType::other)
    return fail("{}: cannot be written: is not a plain file; name another file",
                place.path().string());
  auto parts = place.folder->make_folder(parts_name(place.name));
  SUBMIX_TRY(parts);
  std::unique_ptr<RollingRecording> made(
      new RollingRecording(place, std::move(*parts), std::move(track), keep_seconds));
  SUBMIX_TRY(made->begin_part());
  return made;
}

RollingRecording::RollingRecording(RecordingPlace place, OpenFolder parts, TrackFormat track,
                                   double keep_seconds)
    : place_(std::move(place)),
      parts_folder_(std::make_shared<OpenFolder>(std::move(parts))),
      track_(std::move(track)) {
  const double rate = 1 / av_q2d(track_.time_base);
  keep_frames_ = std::max<std::int64_t>(1, std::llround(keep_seconds * rate));
  frames_per_part_ = std::max<std::int64_t>(1, std::llround(kPartSeconds * rate));
}

Result<void> RollingRecording::begin_part() {
  if (auto finished = finish_part(); !finished) return finished;
  auto name = fmt::format("{:012}.mkv", frames_);
  auto file = MatroskaFile::create({parts_folder_, name}, *track_.parameters, track_.time_base);
  SUBMIX_TRY(file);
  open_part_.emplace(std::move(*file));
  parts_.push_back({std::move(name), frames_});
  return {};
}

Result<void> RollingRecording::finish_part() {
  if (!open_part_) return {};
  bytes_of_ended_parts_ += open_part_->bytes_written();
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
  if (!open_part_) return fail("{}: an earlier part could not be made", about());
  ++frames_;
  return open_part_->write(packet, track_.time_base);
}

std::uint64_t RollingRecording::bytes_written() const {
  return bytes_of_ended_parts_ + (open_part_ ? open_part_->bytes_written() : 0);
}

void RollingRecording::drop_old_parts() {
  while (parts_.size() > 1 && parts_[1].first_frame <= frames_ - keep_frames_) {
    parts_folder_->remove(parts_.front().name);
    parts_.pop_front();
  }
}

Result<void> RollingRecording::finish() {
  auto finished = finish_part();
  if (frames_ == 0) {  // a film without pictures would not play
    remove_parts(place_, *parts_folder_);
    return finished;
  }
  std::vector<std::string> names;
  for (const auto& part : parts_)
    names.push_back(part.name);
  const double from = static_cast<double>(std::max<std::int64_t>(0, frames_ - keep_frames_)) *
                      av_q2d(track_.time_base);
  // Readers never see half a file, and a failure leaves the parts.
  const auto fresh = place_.beside(place_.name + ".new");
  if (auto joined = join_parts(*parts_folder_, names, from, fresh); !joined) {
    return fail("{}; the parts in {} play", joined.error().message, parts_folder_->path().string());
  }
  if (auto renamed = place_.folder->rename(fresh.name, place_.name); !renamed)
    return fail("{}: cannot be replaced: {}", about(), renamed.error().message);
  remove_parts(place_, *parts_folder_);
  return finished;
}

}  // namespace submix::io
