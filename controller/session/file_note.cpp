// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/file_note.hpp"

#include "common/base/files.hpp"

#include <filesystem>
#include <sstream>

namespace submix::session {
namespace {

namespace fs = std::filesystem;

struct Note {
  std::uint64_t hash = 0;
  std::uint64_t revision = 0;
  std::string path;  // empty: none, also of a note that nobody can read
};

Note parse_note(const std::string& text) {
  Note note;
  std::istringstream words(text);
  if (words >> note.hash >> note.revision && words.get() == ' ')
    note.path = words.str().substr(static_cast<std::size_t>(words.tellg()));
  return note;
}

}  // namespace

std::string note_text(const FoundFile& file) {
  if (file.path.empty()) return {};
  return fmt::format("{} {} {}", hash_of(file.text), file.revision,
                     fs::absolute(file.path).lexically_normal().string());
}

Result<std::optional<FoundFile>> find_noted_file(const std::string& note) {
  std::error_code unknown;
  if (!fs::exists(note, unknown)) return std::nullopt;
  const auto text = read_text_file(note);
  SUBMIX_TRY(text);
  const auto noted = parse_note(*text);
  if (noted.path.empty()) return std::nullopt;
  if (!fs::is_regular_file(noted.path, unknown))
    return fail("{}: the show was saved there, and the file is gone", noted.path);
  auto content = read_text_file(noted.path);
  SUBMIX_TRY(content);
  if (hash_of(*content) != noted.hash)
    return fail("{}: the show was saved there, and somebody else has changed the file since",
                noted.path);
  return FoundFile{noted.path, *std::move(content), noted.revision};
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace submix::session
