// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/step_log.hpp"

#include "common/base/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileBytesMax = std::size_t{4} << 20;  // two shows

// Oldest first: names sort by time.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

std::string name_at(std::int64_t moment) {
  return fmt::format("{:020}-{}.json", moment, ::getpid());
}

// In nanoseconds. Empty: the name is not a step's.
std::optional<std::int64_t> moment_of(const fs::path& file) {
  const auto name = file.filename().string();
  std::int64_t moment = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), moment);
  const bool is_ours = failed == std::errc() && *end == '-' && moment > 0;
  return is_ours ? std::optional(moment) : std::nullopt;
}

// A step is newer than all others, also after the clock was set back.
std::int64_t next_moment(const std::vector<fs::path>& files) {
  const std::int64_t now =
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  const auto newest = files.empty() ? std::nullopt : moment_of(files.back());
  if (!newest || *newest < now) return now;
  return *newest == std::numeric_limits<std::int64_t>::max() ? *newest : *newest + 1;
}

Result<ShowStep> read(const fs::path& file) {
  const auto text = read_text_file(file, kFileBytesMax);
  if (!text) return fail("{}; remove it", text.error().message);
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  const auto has = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  const bool is_step = json.is_object() && has("title") && has("before") && has("after") &&
                       json.contains("is_whole") && json["is_whole"].is_boolean();
  if (!is_step) return fail("{}: is no step of the show; remove it", file.string());
  const bool kept_rate = json.contains("kept_rate") && json["kept_rate"] == true;
  return ShowStep{json["title"], json["is_whole"], json["before"], json["after"], kept_rate};
}

Result<void> take_out(const fs::path& file) {
  std::error_code failed;
  fs::remove(file, failed);
  if (failed) return fail("{}: cannot be removed: {}", file.string(), failed.message());
  return {};
}

// Makes the folder private, also an existing one: shows belong to their user.
Result<void> make_private(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) fs::permissions(folder.parent_path(), fs::perms::owner_all, failed);
  if (!failed) fs::permissions(folder, fs::perms::owner_all, failed);
  if (failed) return fail("{}: cannot be made: {}", folder.string(), failed.message());
  return {};
}

}  // namespace

fs::path StepLog::folder_of(Direction direction) const {
  return folder_ / (direction == Direction::undo ? "undo" : "redo");
}

Result<void> StepLog::keep(const ShowStep& step, Direction direction) {
  const auto folder = folder_of(direction);
  if (auto made = make_private(folder); !made) return made;
  const auto name = name_at(next_moment(files_in(folder)));
  const nlohmann::json json{{"title", step.title},
                            {"is_whole", step.is_whole},
                            {"before", step.before},
                            {"after", step.after},
                            {"kept_rate", step.kept_rate}};
  const auto text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (auto written = write_file_atomically(folder / name, text, 0600); !written) return written;
  std::error_code failed;
  const auto files = files_in(folder);
  const auto surplus = std::max(files.size(), kStepsMax) - kStepsMax;
  // a remaining file does no harm
  for (std::size_t i = 0; i < surplus; ++i)
    fs::remove(files[i], failed);
  return {};
}

Result<void> StepLog::add(const ShowStep& step) {
  if (auto kept = keep(step, Direction::undo); !kept) return kept;
  for (const auto& file : files_in(folder_of(Direction::redo))) {
    if (auto gone = take_out(file); !gone) return gone;
  }
  return {};
}

Result<std::optional<StepLog::StepFile>> StepLog::newest(Direction direction) const {
  const auto files = files_in(folder_of(direction));
  if (files.empty()) return std::optional<StepFile>();
  auto step = read(files.back());
  SUBMIX_TRY(step);
  return StepFile{files.back(), *std::move(step)};
}

std::vector<std::string> StepLog::titles(Direction direction) const {
  std::vector<std::string> titles;
  for (auto& step : steps(direction))
    titles.push_back(std::move(step.title));
  return titles;
}

std::vector<ShowStep> StepLog::steps(Direction direction) const {
  std::vector<ShowStep> steps;
  for (const auto& file : files_in(folder_of(direction))) {
    if (auto step = read(file)) steps.push_back(*std::move(step));
  }
  std::ranges::reverse(steps);
  return steps;
}

Result<void> StepLog::turn(const StepFile& entry, Direction direction) {
  const auto other = direction == Direction::undo ? Direction::redo : Direction::undo;
  if (auto kept = keep(entry.step, other); !kept) return kept;
  return take_out(entry.file);
}

Result<void> StepLog::put_last(const StepFile& entry, Direction direction) {
  const auto files = files_in(folder_of(direction));
  if (files.empty() || files.front() == entry.file) return {};
  const auto& oldest = files.front();
  const auto moment = moment_of(oldest);
  if (!moment) return fail("{}: is no step of the show; remove it", oldest.string());
  std::error_code failed;
  fs::rename(entry.file, oldest.parent_path() / name_at(*moment - 1), failed);
  if (failed) return fail("{}: cannot be renamed: {}", entry.file.string(), failed.message());
  return {};
}

}  // namespace submix::cli
