// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/incoming_media.hpp"

#include "common/show/picture_series.hpp"
#include "common/show/text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

constexpr std::size_t kDepthMax = 8;  // as list_media() searches
constexpr std::string_view kPartEnding = ".part";
constexpr std::uint64_t kBytesBetweenLooks = std::uint64_t{64} << 20U;  // at the disk's room

/// "rain/drops.mp4" as its folders and its own name.
Result<std::vector<std::string>> steps_of(const std::string& file) {
  std::vector<std::string> steps;
  std::string_view rest = file;
  while (true) {
    const auto slash = rest.find('/');
    steps.emplace_back(rest.substr(0, slash));
    if (steps.back().empty() || steps.back().starts_with('.'))
      return fail(
          "{}: cannot be copied: a part of its name is empty or begins with a dot; name it "
          "otherwise",
          file);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (steps.size() > kDepthMax)
    return fail("{}: cannot be copied: {} folders deep; at most {} are searched", file,
                steps.size() - 1, kDepthMax - 1);
  const bool is_plain = show::is_plain_text(file) && file.find('\n') == std::string::npos;
  const bool is_known = is_media_name(steps.back()) || is_lut_name(steps.back());
  if (!is_known || !is_plain)
    return fail(
        "{}: is no clip, no picture and no LUT by the ending of its name; name it as it is, as in "
        "rain.mp4",
        file);
  return steps;
}

// ".rain.mp4.1550375-1764151234567890123.part".
bool is_part_of(std::string_view name, std::string_view beginning) {
  if (!name.starts_with(beginning) || !name.ends_with(kPartEnding)) return false;
  name.remove_prefix(beginning.size());
  name.remove_suffix(kPartEnding.size());
  return name.find_first_not_of("0123456789-") == std::string_view::npos;
}

// Incomplete copies of the same name from another origin are useless now.
void remove_others(const OpenFolder& folder, const std::string& beginning,
                   const std::string& part) {
  for (const auto& name : folder.names()) {
    if (name != part && is_part_of(name, beginning)) folder.remove(name);
  }
}

Result<void> check_room(const OpenFolder& folder, std::uint64_t bytes_missing) {
  constexpr auto kKept = IncomingMedia::kBytesLeftFree;
  const auto free = folder.bytes_free();
  if (!free || (*free >= kKept && *free - kKept >= bytes_missing)) return {};
  return fail(
      "{}: {} MB are missing, but the disk has {} MB free and keeps {} MB for recordings; make "
      "room there",
      folder.path().string(), bytes_missing / 1'000'000, *free / 1'000'000, kKept / 1'000'000);
}

}  // namespace

Result<IncomingMedia> IncomingMedia::open(const MediaFolders& folders, const std::string& file,
                                          const Origin& origin) {
  auto steps = steps_of(file);
  SUBMIX_TRY(steps);
  if (origin.bytes > kBytesMax)
    return fail("{}: has {} bytes; at most {} are copied", file, origin.bytes, kBytesMax);
  auto folder = OpenFolder::open(folders.media);
  SUBMIX_TRY(folder);
  const std::string name = std::move(steps->back());
  steps->pop_back();
  for (const auto& step : *steps) {
    folder = folder->make_folder(step);
    SUBMIX_TRY(folder);
  }
  if (folder->entry_type(name) != OpenFolder::EntryType::none)
    return fail("{}: is there already; rename one of the two", (folder->path() / name).string());

  const auto beginning = fmt::format(".{}.", name);
  const auto part =
      fmt::format("{}{}-{}{}", beginning, origin.bytes, origin.changed_ns, kPartEnding);
  remove_others(*folder, beginning, part);
  auto opened = folder->entry_type(part) == OpenFolder::EntryType::none
                    ? folder->create_file(part)
                    : folder->continue_file(part);
  SUBMIX_TRY(opened);
  struct stat status{};
  if (::fstat(opened->descriptor.get(), &status) != 0)
    return fail("{}: {}", opened->path.string(), std::strerror(errno));
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  SUBMIX_TRY(check_room(*folder, origin.bytes - std::min(bytes, origin.bytes)));
  return IncomingMedia(std::move(*folder), name, *std::move(opened), bytes, origin.bytes);
}

Result<void> IncomingMedia::append(std::string_view bytes) {
  if (bytes.size() > bytes_all_ - std::min(bytes_, bytes_all_))
    return fail("{}: is longer than its origin said; copy it again", part_.path.string());
  if (bytes_ - room_seen_at_ >= kBytesBetweenLooks) {
    SUBMIX_TRY(check_room(folder_, bytes_all_ - bytes_));
    room_seen_at_ = bytes_;
  }
  while (!bytes.empty()) {
    const auto written =
        ::pwrite(part_.descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(bytes_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return fail("{}: cannot be written: {}", part_.path.string(), std::strerror(errno));
    bytes_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> IncomingMedia::finish() {
  if (::fsync(part_.descriptor.get()) != 0)
    return fail("{}: cannot be written: {}", part_.path.string(), std::strerror(errno));
  return folder_.rename_if_free(part_name(), name_);
}

Result<void> check_copied_name(const std::string& file) {
  SUBMIX_TRY(steps_of(file));
  return {};
}

Result<OpenFile> open_copied(const MediaFolders& folders, const std::string& file) {
  SUBMIX_TRY(check_copied_name(file));
  auto opened = open_media({folders.media, {}}, file);
  if (opened || !show::series_name(file)) return opened;
  return fail(
      "{}: a series of pictures is not copied between computers; copy its folder by hand, or make "
      "one file of it: ffmpeg -framerate 25 -i {} -c:v ffv1 series.mkv",
      file, file);
}

}  // namespace submix::io
