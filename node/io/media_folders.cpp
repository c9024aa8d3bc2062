// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/media_folders.hpp"

#include "common/show/picture_series.hpp"
#include "node/io/listed_series.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace submix::io {
namespace {

namespace fs = std::filesystem;

/// A file name from a show, and the folder of this node that limits it.
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

// File systems take 255 bytes. Its parts and its former films have longer names.
constexpr std::size_t kRecordingNameBytesMax = 240;

bool leads_out(int error) {
  return error == EXDEV || error == ELOOP;
}

std::string leads_out_of(const fs::path& root) {
  return fmt::format(
      "leads out of this node's folder {}, by \"..\", a link or an absolute name: put the file "
      "into that folder, or start the node with --any-file",
      root.string());
}

/// The folder may be a home folder. Hidden files there control logins and start programs.
bool is_hidden(const fs::path& name) {
  return std::any_of(name.begin(), name.end(), [](const fs::path& part) {
    const auto text = part.string();
    return text.size() > 1 && text.front() == '.' && text != "..";
  });
}

/// The folder in which the name's last part lies.
fs::path parent_of(const fs::path& from_root) {
  return from_root.has_parent_path() ? from_root.parent_path() : fs::path(".");
}

/// Whether a file has this name. Then the name is no pattern.
bool is_taken(const Name& name) {
  return bool{name.open(name.from_root(), O_PATH | O_CLOEXEC)};
}

/// An added picture changes the folder's state; an overwritten one does not. If the overwritten one
/// is the first, it may be the reason why the series could not be opened.
std::optional<FileState> state_of_series(const Name& name) {
  const auto series = show::series_name(name.file);
  if (!series) return std::nullopt;
  const OpenFolder folder(name.open(parent_of(name.from_root()), kFolderFlags), {});
  const auto numbers = show::series_numbers(*series, folder.names());
  if (!numbers) return std::nullopt;
  const auto first = folder.open_file(show::picture_name(*series, numbers->first));
  auto state = state_of(folder.descriptor());
  const auto state_of_first = first ? state_of(first->descriptor.get()) : std::nullopt;
  if (!state || !state_of_first) return state;
  state->inode = state_of_first->inode;
  state->bytes = state_of_first->bytes;
  state->changed_ns = std::max(state->changed_ns, state_of_first->changed_ns);
  return state;
}

constexpr std::size_t kReadBytes = std::size_t{1} << 16U;  // at once

// The system would cut off the rest of such a name.
bool has_zero(std::string_view file) {
  return file.find('\0') != std::string_view::npos;
}

tl::unexpected<Error> refuse_zero(std::string_view file) {
  return fail("file name \"{}…\": has a zero byte in it; name another file",
              file.substr(0, file.find('\0')));
}

// Endings of the clips and pictures that FFmpeg reads. Other files that lie beside clips are left
// out.
constexpr std::array<std::string_view, 30> kMediaEndings{
    ".mp4",  ".mov", ".mkv", ".webm", ".avi",  ".m4v", ".mpg", ".mpeg", ".ts",  ".mts",
    ".wmv",  ".flv", ".ogv", ".mxf",  ".dv",   ".gif", ".hap", ".y4m",  ".png", ".jpg",
    ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".tga", ".svg", ".svgz", ".exr", ".dpx"};
constexpr std::string_view kLutEnding = ".cube";

/// Walks through the media folder.
class MediaSearch {
 public:
  explicit MediaSearch(std::size_t most) : most_(most) {}

  void walk(const OpenFolder& folder, const std::string& prefix, int depth) {
    std::vector<FoundMedia> files;
    look_into(folder, prefix, depth, files);
    for (auto& file : with_series(std::move(files))) {
      file.name.insert(0, prefix);
      found_.files.push_back(std::move(file));
    }
  }

  FoundMediaList take() {
    std::ranges::sort(found_.files, {}, &FoundMedia::name);
    std::ranges::sort(found_.luts);
    found_.is_cut = found_.is_cut || found_.files.size() > most_;
    if (found_.files.size() > most_) found_.files.resize(most_);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kLooksMax = 20'000;
  static constexpr int kDepthMax = 8;

  /// Adds the files directly in the folder to `files`, and walks through the folders in it.
  void look_into(const OpenFolder& folder, const std::string& prefix, int depth,
                 std::vector<FoundMedia>& files) {
    for (const auto& name : folder.names()) {
      if (looks_left_ == 0 || found_.files.size() > most_) {
        found_.is_cut = true;
        return;
      }
      --looks_left_;
      if (name.starts_with(".")) continue;
      const auto type = folder.entry_type(name);
      const bool is_file = type == OpenFolder::EntryType::plain_file;
      if (is_file && is_media_name(name)) add(folder, name, files);
      if (is_file && is_lut_name(name) && found_.luts.size() < most_)
        found_.luts.push_back(prefix + name);
      if (type != OpenFolder::EntryType::folder || depth == kDepthMax) continue;
      if (const auto inner = folder.open_folder(name)) walk(*inner, prefix + name + "/", depth + 1);
    }
  }

  static void add(const OpenFolder& folder, const std::string& name,
                  std::vector<FoundMedia>& files) {
    struct stat state{};
    if (::fstatat(folder.descriptor(), name.c_str(), &state, AT_SYMLINK_NOFOLLOW) != 0) return;
    files.push_back({name, static_cast<std::uint64_t>(state.st_size)});
  }

  const std::size_t most_;
  std::size_t looks_left_ = kLooksMax;
  FoundMediaList found_;
};

}  // namespace

bool is_media_name(const std::string& name) {
  return std::ranges::find(kMediaEndings, ending_of(name)) != kMediaEndings.end();
}

bool is_lut_name(const std::string& name) {
  return ending_of(name) == kLutEnding;
}

Result<FoundMediaList> list_media(const MediaFolders& folders, std::size_t most) {
  const auto folder = OpenFolder::open(folders.media);
  SUBMIX_TRY(folder);
  MediaSearch search(most);
  search.walk(*folder, {}, 1);
  return search.take();
}

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

Result<OpenFile> open_clip(const MediaFolders& folders, std::string_view file, double series_rate) {
  auto opened = open_media(folders, file);
  if (opened || has_zero(file) || !show::series_name(file)) return opened;
  const Name name{folders.media, file, folders.allows_any_file};
  if (is_taken(name)) return opened;
  auto folder = name.open(parent_of(name.from_root()), kFolderFlags);
  if (folder) return OpenFile{std::move(folder), name.path(), series_rate};
  const int error = errno;
  const auto about = name.path().string();
  if (leads_out(error)) return fail("{}: {}", about, leads_out_of(folders.media));
  return fail("{}: the folder of this series of pictures: {}", about, std::strerror(error));
}

Result<std::string> read_media(const MediaFolders& folders, std::string_view file,
                               std::size_t bytes_max) {
  const auto opened = open_media(folders, file);
  SUBMIX_TRY(opened);
  const auto about = opened->path.string();
  std::string text(kReadBytes, '\0');
  std::size_t bytes = 0;
  while (bytes <= bytes_max) {
    if (text.size() - bytes < kReadBytes) text.resize(text.size() * 2);
    const auto count = ::read(opened->descriptor.get(), text.data() + bytes, kReadBytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail("{}: cannot be read: {}", about, std::strerror(errno));
    bytes += static_cast<std::size_t>(count);
    if (count > 0) continue;
    text.resize(bytes);
    return text;
  }
  return fail("{}: has more than {} bytes, the most that are read; name a smaller file", about,
              bytes_max);
}

std::optional<FileState> state_of_media(const MediaFolders& folders, std::string_view file) {
  if (has_zero(file)) return std::nullopt;
  const Name name{folders.media, file, folders.allows_any_file};
  const auto opened = name.open(name.from_root(), O_PATH | O_CLOEXEC);
  return opened ? state_of(opened.get()) : state_of_series(name);
}

Result<RecordingPlace> find_recording(const MediaFolders& folders, std::string_view file) {
  if (has_zero(file)) return refuse_zero(file);
  const Name name{folders.recordings, file, folders.allows_any_file};
  const auto from_root = name.from_root();
  const auto leaf = from_root.filename().string();
  const auto about = name.path().string();
  if (leaf.empty() || leaf == "." || leaf == "..")
    return fail("{}: cannot be written: it names a folder; name a file in it", about);
  if (leaf.size() > kRecordingNameBytesMax) {
    return fail("{}: cannot be written: its name has {} bytes, {} are possible; shorten it", about,
                leaf.size(), kRecordingNameBytesMax);
  }
  if (!name.is_free && is_hidden(from_root)) {
    return fail(
        "{}: cannot be written: a name that begins with a dot is hidden; name another file, or "
        "start the node with --any-file",
        about);
  }
  const auto parent = parent_of(from_root);
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

}  // namespace submix::io
