// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/show_storage.hpp"

#include "common/base/files.hpp"
#include "controller/session/file_note.hpp"
#include "controller/session/show_comments.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <vector>

namespace submix::session {
namespace {

namespace fs = std::filesystem;

// "2026-11-22 08-31-05": every file system accepts it.
std::string moment_text() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::localtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H-%M-%S", &parts)};
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return fail("{}: cannot be made: {}", folder.string(), failed.message());
  return {};
}

Result<void> check_present(const WriteFile& request) {
  std::error_code failed;
  if (request.may_replace || !fs::exists(request.path, failed)) return {};
  if (!request.expected_text) return fail("{}: is there already", request.path);
  const auto now = read_text_file(request.path);
  SUBMIX_TRY(now);
  if (*now == *request.expected_text) return {};
  return fail(
      "{}: was changed by somebody else since it was opened; open it again, or save under another "
      "name",
      request.path);
}

/// A snapshot of a show: "2026-11-22 08-31-05 #17.toml". The clock may be wrong, so the sequence
/// tells which one is newer.
struct SnapshotFile {
  std::uint64_t sequence = 0;  // 0: written by an earlier version
  std::string name;
  fs::path path;
};

std::uint64_t sequence_of(const std::string& name) {
  const auto sign = name.rfind('#');
  if (sign == std::string::npos) return 0;
  std::uint64_t sequence = 0;
  std::from_chars(name.data() + sign + 1, name.data() + name.size(), sequence);
  return sequence;
}

std::vector<SnapshotFile> snapshots_by_age(const fs::path& folder) {
  std::vector<SnapshotFile> snapshots;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    if (entry->path().extension() != ".toml") continue;
    auto name = entry->path().stem().string();
    snapshots.push_back({sequence_of(name), name, entry->path()});
  }
  std::ranges::sort(snapshots, {},
                    [](const SnapshotFile& file) { return std::tie(file.sequence, file.name); });
  return snapshots;
}

// Two windows may write at once: then the second one takes a later number.
fs::path free_snapshot_path(const fs::path& folder, std::uint64_t sequence) {
  const auto moment = moment_text();
  const auto path_at = [&](std::uint64_t number) {
    return folder / fmt::format("{} #{}.toml", moment, number);
  };
  std::error_code unknown;
  while (fs::exists(path_at(sequence), unknown))
    ++sequence;
  return path_at(sequence);
}

Result<void> write_snapshot(const fs::path& folder, const std::string& text) {
  const auto known = snapshots_by_age(folder);
  if (!known.empty() && read_text_file(known.back().path).value_or("") == text) return {};
  const auto sequence = known.empty() ? 1 : known.back().sequence + 1;
  SUBMIX_TRY(write_file_atomically(free_snapshot_path(folder, sequence), text));
  const auto surplus = std::max(known.size() + 1, kSnapshotsMax) - kSnapshotsMax;
  std::error_code stays;  // a snapshot that cannot be removed does no harm
  for (std::size_t i = 0; i < surplus; ++i)
    fs::remove(known[i].path, stays);
  return {};
}

bool is_shown(const fs::directory_entry& entry, bool is_folder) {
  const auto name = entry.path().filename().string();
  return !name.starts_with('.') && (is_folder || entry.path().extension() == ".toml");
}

// Copies a file that has a person's comments which the new text lacks. Returns the copy's path;
// empty: no copy is needed.
Result<std::string> keep_comments(const WriteFile& request) {
  std::error_code unknown;
  if (!fs::exists(request.path, unknown)) return std::string();
  const auto before = read_text_file(request.path);
  SUBMIX_TRY(before);
  const auto leading = leading_comments(*before);
  const bool is_leading_kept = request.text.starts_with(leading);
  if (!has_comments(std::string_view(*before).substr(is_leading_kept ? leading.size() : 0)))
    return std::string();
  auto copy = request.path + ".bak";
  for (int i = 2; fs::exists(copy, unknown); ++i)
    copy = fmt::format("{}.bak-{}", request.path, i);
  SUBMIX_TRY(write_file_atomically(copy, *before));
  return copy;
}

Result<std::string> write_beside_comments(const WriteFile& request) {
  auto copy = keep_comments(request);
  if (!copy) return copy;
  SUBMIX_TRY(write_file_atomically(request.path, request.text));
  return copy;
}

Result<std::string> save_show(const WriteFile& request) {
  SUBMIX_TRY(check_present(request));
  auto saved = write_beside_comments(request);
  if (saved) return saved;
  return fail("{}; the show is not saved: save it into another folder", saved.error().message);
}

}  // namespace

Result<std::string> write_show(const WriteFile& request) {
  if (request.purpose == WriteFile::Purpose::save) return save_show(request);
  const fs::path path = request.path;
  const bool is_snapshot = request.purpose == WriteFile::Purpose::snapshot;
  SUBMIX_TRY(make_folder(is_snapshot ? path : path.parent_path()));
  const auto written =
      is_snapshot ? write_snapshot(path, request.text) : write_file_atomically(path, request.text);
  SUBMIX_TRY(written);
  return std::string();
}

Result<void> write_new_text(const WriteText& request) {
  std::error_code unknown;
  if (fs::exists(request.path, unknown))
    return fail("{}: is there already, and is kept; say another name", request.path);
  return write_file_atomically(request.path, *request.text, 0644, request.given_up);
}

model::FolderView list_folder(const std::string& path) {
  model::FolderView folder{
      .path = fs::path(path).lexically_normal().string(), .entries = {}, .error = {}};
  std::error_code failed;
  fs::directory_iterator entry(path, failed);
  if (failed) folder.error = fmt::format("{}: cannot be listed: {}", path, failed.message());
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    if (!is_shown(*entry, is_folder)) continue;
    if (folder.entries.size() == kEntriesMax) {
      folder.error = fmt::format("more than {} entries: type the rest of the name", kEntriesMax);
      break;
    }
    folder.entries.push_back({entry->path().filename().string(), is_folder});
  }
  std::ranges::sort(folder.entries, [](const auto& a, const auto& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return folder;
}

std::string file_name_of(const std::string& show_name) {
  constexpr std::size_t kBytesMax = 200;  // file systems accept 255
  std::string name;
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c >= 0x80;
  };
  for (const char c : show_name) {
    const auto byte = static_cast<unsigned char>(c);
    name += is_plain(byte) ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  if (name.size() > kBytesMax)
    name = fmt::format("{}%{:016x}", name.substr(0, kBytesMax - 17), hash_of(show_name));
  return name.empty() ? "%" : name;
}

}  // namespace submix::session
