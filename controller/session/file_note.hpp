// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Notes on the controller's own disk: the file of each show, from one session to the next.
///
/// Shape    A line: a hash of the file's content, the show's revision, the file's path.
/// Threads  Pure except for the disk.
namespace submix::session {

/// An empty path: the show is in no file.
[[nodiscard]] std::string note_text(const FoundFile& file);

/// The file that a note names. Empty: there is no note, or the show is in no file.
///
/// Errors   The file is gone, cannot be read, or its content has changed since the note.
[[nodiscard]] Result<std::optional<FoundFile>> find_noted_file(const std::string& note);

/// FNV-1a: the same on every machine.
[[nodiscard]] std::uint64_t hash_of(std::string_view text);

}  // namespace submix::session
