// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/media_folders.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::io {
namespace {

namespace fs = std::filesystem;

/// A name of a show, and the folder of this node that limits it.
struct Name {
  const fs::path& root;
  std::string_view file;
  bool is_free;  ///< it may lead anywhere

  [[nodiscard]] fs::path path() const { return (root / file).lexically_normal(); }

  /// The name relative to the root. An absolute name stays absolute unless it begins with the root.
  [[nodiscard]] fs::path from_root() const {
    fs::path whole(file);
    if (!whole.is_absolute()) return whole;
    const auto below = whole.lexically_normal().lexically_relative(root.lexically_normal());
    const bool is_below = !below.empty() && *below.begin() != "..";
    return is_below ? below : whole;
  }

  /// Like open_beneath(), unless the name may lead anywhere.
  [[nodiscard]] Descriptor open(const fs::path& name, int flags) const {
    if (is_free) return Descriptor(::open((root / name).c_str(), flags));
    const Descriptor folder(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    return folder ? Descriptor(open_beneath(folder.get(), name.c_str(), flags)) : Descriptor();
  }
};

bool leads_out(int error) {
  return error == EXDEV || error == ELOOP;
}

std::string leads_out_of(const fs::path& root) {
  return fmt::format(
      "leads out of this node's folder {}, by \"..\", a link or an absolute name: put the file "
      "into that folder, or start the node with --any-file",
      root.string());
}

/// The folder may be a home folder, where hidden files control logins and start programs.
bool is_hidden(const fs::path& name) {
  return std::any_of(name.begin(), name.end(), [](const fs::path& part) {
    const auto text = part.string();
    return text.size() > 1 && text.front() == '.' && text != "..";
  });
}

// The system would cut off the rest of such a name.
bool has_zero(std::string_view file) {
  return file.find('\0') != std::string_view::npos;
}

tl::unexpected<Error> refuse_zero(std::string_view file) {
  return fail("file name \"{}…\": has a zero byte in it; name another file",
              file.substr(0, file.find('\0')));
}

}  // namespace

Result<OpenFile> open_media(const MediaFolders& folders, std::string_view file) {
  if (has_zero(file)) return refuse_zero(file);
  const Name name{folders.media, file, folders.allows_any_file};
  auto opened = name.open(name.from_root(), kReadingFlags);
  if (opened) return plain_file(std::move(opened), name.path());
  const int error = errno;
  const auto about = name.path().string();
  if (leads_out(error)) return fail("{}: {}", about, leads_out_of(folders.media));
  if (error == ENOENT || error == ENOTDIR) return fail("{}: there is no such file", about);
  return fail("{}: cannot be read: {}", about, std::strerror(error));
}

std::optional<FileState> state_of_media(const MediaFolders& folders, std::string_view file) {
  if (has_zero(file)) return std::nullopt;
  const Name name{folders.media, file, folders.allows_any_file};
  const auto opened = name.open(name.from_root(), O_PATH | O_CLOEXEC);
  return opened ? state_of(opened.get()) : std::nullopt;
}

Result<RecordingPlace> find_recording(const MediaFolders& folders, std::string_view file) {
  if (has_zero(file)) return refuse_zero(file);
  const Name name{folders.recordings, file, folders.allows_any_file};
  const auto from_root = name.from_root();
  const auto leaf = from_root.filename().string();
  const auto about = name.path().string();
  if (leaf.empty() || leaf == "." || leaf == "..")
    return fail("{}: cannot be written: it names a folder; name a file in it", about);
  if (!name.is_free && is_hidden(from_root)) {
    return fail(
        "{}: cannot be written: a name that begins with a dot is hidden; name another file, or "
        "start the node with --any-file",
        about);
  }
  auto parent = from_root.parent_path();
  if (parent.empty()) parent = ".";
  auto opened = name.open(parent, kFolderFlags);
  if (opened) {
    auto folder = (folders.recordings / parent).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();  // "/recordings/" of "/recordings/."
    return RecordingPlace{std::make_shared<OpenFolder>(std::move(opened), std::move(folder)), leaf};
  }
  const int error = errno;
  if (leads_out(error))
    return fail("{}: cannot be written: it {}", about, leads_out_of(folders.recordings));
  return fail("{}: cannot be written: its folder: {}; make that folder, or name another one", about,
              std::strerror(error));
}

Result<OpenFile> open_any_file(const fs::path& path) {
  return open_media({.media = "/", .recordings = {}, .allows_any_file = true},
                    fs::absolute(path).string());
}

}  // namespace submix::io
