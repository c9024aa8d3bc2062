// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/file_state.hpp"
#include "common/base/result.hpp"
#include "node/io/open_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::io {

/// The folders of this node for the file names of a show. A show may name files below these folders
/// only. A relative name starts at the folder, so a show may move between machines.
struct MediaFolders {
  std::filesystem::path media;       ///< clips and stills, read
  std::filesystem::path recordings;  ///< files written by `record`
  bool allows_any_file = false;      ///< the person who started the node lets a show name any file
};

/// The place of a recording: a name directly in an open folder.
struct RecordingPlace {
  std::shared_ptr<const OpenFolder> folder;
  std::string name;  ///< "mix.mkv"

  [[nodiscard]] std::filesystem::path path() const { return folder->path() / name; }
  [[nodiscard]] RecordingPlace beside(std::string other) const {
    return {folder, std::move(other)};
  }
};

/// Opens a clip or a still of a show for reading. Replacing the file meanwhile changes nothing:
/// what was checked is what is read.
///
/// Errors   There is no such file, it is not a plain file, or its name leads out of the media
///          folder.
[[nodiscard]] Result<OpenFile> open_media(const MediaFolders& folders, std::string_view file);
/// Default rate of a series of pictures, in pictures a second. FFmpeg has the same.
inline constexpr double kSeriesRate = 25;
/// Opens the file of a clip, as open_media() does. If there is no such file and its name is a
/// pattern, opens the folder of this series of pictures, without looking for a picture.
///
/// Errors   As open_media().
[[nodiscard]] Result<OpenFile> open_clip(const MediaFolders& folders, std::string_view file,
                                         double series_rate = kSeriesRate);
/// Reads a whole file of the media folder, which open_media() opens.
///
/// Errors   As open_media(); or the file has more than `bytes_max` bytes, or cannot be read.
[[nodiscard]] Result<std::string> read_media(const MediaFolders& folders, std::string_view file,
                                             std::size_t bytes_max);
/// A state that differs when the file has changed. For a series of pictures it covers the folder
/// and the first picture. Empty: the file is missing or not below the folder.
[[nodiscard]] std::optional<FileState> state_of_media(const MediaFolders& folders,
                                                      std::string_view file);

/// A clip or a still below the media folder.
struct FoundMedia {
  std::string name;  ///< relative to the folder; of a series, its pattern
  std::uint64_t bytes = 0;
  std::uint32_t pictures = 0;  ///< number of pictures in a series; 0: a single file
};
/// A list shows so many numbered pictures, or more, as one series: a second of film.
inline constexpr std::uint32_t kListedSeriesMin = 25;
struct FoundMediaList {
  std::vector<FoundMedia> files;    ///< by name
  bool is_cut = false;              ///< there is more
  std::vector<std::string> luts{};  ///< .cube files, as FoundMedia::name; by name
};
/// Whether the name ends like a clip's or a still's.
[[nodiscard]] bool is_media_name(const std::string& name);
/// Whether the name ends like a LUT's.
[[nodiscard]] bool is_lut_name(const std::string& name);
/// Finds clips, stills and LUTs by the endings of their names; no file is opened. Hidden files,
/// hidden folders and links are left out. Many numbered pictures are one series.
///
/// Shape    At most `most` clips and stills, and as many LUTs. Looks eight folders deep.
/// Cost     Waits for the disk. Reads at most 20,000 entries.
/// Errors   The media folder cannot be read.
[[nodiscard]] Result<FoundMediaList> list_media(const MediaFolders& folders, std::size_t most);

/// The place of a recording's file. The file itself is not examined.
///
/// Errors   Its folder is missing, or its name is hidden or leads out of the folder for recordings.
[[nodiscard]] Result<RecordingPlace> find_recording(const MediaFolders& folders,
                                                    std::string_view file);

}  // namespace submix::io
