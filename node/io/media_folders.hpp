// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/file_state.hpp"
#include "common/base/result.hpp"
#include "node/io/open_folder.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace submix::io {

/// Where the file names of a show lead on this node: below one of these folders, and nowhere else. A name
/// that is not absolute is taken from there, so that a show may move between machines.
struct MediaFolders {
  std::filesystem::path media;       ///< clips and stills, read
  std::filesystem::path recordings;  ///< what `record` writes
  bool allows_any_file = false;      ///< the person who started the node lets a show name all files
};

/// Where a recording goes: a name right in a folder that is open.
struct RecordingPlace {
  std::shared_ptr<const OpenFolder> folder;
  std::string name;  ///< "mix.mkv"

  [[nodiscard]] std::filesystem::path path() const { return folder->path() / name; }
  [[nodiscard]] RecordingPlace beside(std::string other) const {
    return {folder, std::move(other)};
  }
};

/// A clip or a still of a show, open for reading. Between the look at its name and its last byte nobody can
/// put another file in its place.
///
/// Errors   There is no such file, it is no plain one, or its name leads out of the media folder.
[[nodiscard]] Result<OpenFile> open_media(const MediaFolders& folders, std::string_view file);
/// By which such a file is known to be the same still; empty: it is not there, or not below the folder.
[[nodiscard]] std::optional<FileState> state_of_media(const MediaFolders& folders,
                                                      std::string_view file);

/// The place of a recording's file; that is not looked at.
///
/// Errors   Its folder is not there, or its name leads out of the folder for recordings or is a hidden one.
[[nodiscard]] Result<RecordingPlace> find_recording(const MediaFolders& folders,
                                                    std::string_view file);

/// Any file, by a name that is not a show's.
[[nodiscard]] Result<OpenFile> open_any_file(const std::filesystem::path& path);

}  // namespace submix::io
