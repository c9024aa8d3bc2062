// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/matroska_file.hpp"

#include "node/io/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace submix::io {
namespace {

/// Only a plain file is replaced. Opening a pipe could wait for ever.
Result<void> check_entry(const RecordingPlace& place) {
  const auto former = place.folder->entry_type(place.name);
  if (former == OpenFolder::EntryType::folder)
    return fail("{}: cannot be written: is a folder; name a file in it", place.path().string());
  if (former == OpenFolder::EntryType::other) {
    return fail(
        "{}: cannot be written: is not a plain file but a pipe or a device; name another file, or "
        "lead the pictures to a program by: submix pipe out",
        place.path().string());
  }
  return {};
}

Result<OpenFile> create_plain_file(const RecordingPlace& place) {
  SUBMIX_TRY(check_entry(place));
  if (place.folder->entry_type(place.name) != OpenFolder::EntryType::none)
    place.folder->remove(place.name);
  return place.folder->create_file(place.name);
}

}  // namespace

Result<void> check_recorded_file(const RecordingPlace& place) {
  if (auto checked = check_entry(place); !checked) return checked;
  const auto writable = place.folder->check_writing();
  if (writable) return {};
  return fail("{}: cannot be written: {}", place.path().string(), writable.error().message);
}

/// The file as it lies on the disk.
class MatroskaFile::MadeFile {
 public:
  MadeFile(RecordingPlace place, const OpenFile& file)
      : place_(std::move(place)), file_(::fcntl(file.descriptor.get(), F_DUPFD_CLOEXEC, 0)) {}
  ~MadeFile() {
    if (!may_have_pictures()) place_.folder->remove(place_.name);
  }
  MadeFile(const MadeFile&) = delete;
  MadeFile& operator=(const MadeFile&) = delete;

  void has_header_of(std::int64_t bytes) { header_bytes_ = bytes; }
  void take_picture() { has_taken_picture_ = true; }
  /// Somebody has deleted it, or its folder: what is written goes nowhere.
  [[nodiscard]] bool is_deleted() const {
    struct stat own{};
    return ::fstat(file_.get(), &own) == 0 && own.st_nlink == 0;
  }

 private:
  // FFmpeg may hold a picture back that a full disk then does not take. Another recording may have
  // renamed this file and made one of its name.
  [[nodiscard]] bool may_have_pictures() const {
    struct stat own{};
    struct stat named{};
    if (::fstat(file_.get(), &own) != 0) return true;
    if (has_taken_picture_ && own.st_size > header_bytes_) return true;
    const int found =
        ::fstatat(place_.folder->descriptor(), place_.name.c_str(), &named, AT_SYMLINK_NOFOLLOW);
    return found != 0 || own.st_dev != named.st_dev || own.st_ino != named.st_ino;
  }

  RecordingPlace place_;
  Descriptor file_;
  std::int64_t header_bytes_ = std::numeric_limits<std::int64_t>::max();
  bool has_taken_picture_ = false;
};

void MatroskaFile::MadeFileDeleter::operator()(MadeFile* file) const {
  delete file;
}

void MatroskaFile::OutputDeleter::operator()(AVFormatContext* output) const {
  const IoPointer closed(output->pb);
  avformat_free_context(output);
}

Result<MatroskaFile> MatroskaFile::create(const RecordingPlace& place,
                                          const AVCodecParameters& parameters,
                                          AVRational time_base) {
  auto made = create_plain_file(place);
  SUBMIX_TRY(made);
  const auto path = place.path();
  MatroskaFile file;
  file.path_ = path;
  file.made_.reset(new MadeFile(place, *made));
  AVFormatContext* output = nullptr;
  int code = avformat_alloc_output_context2(&output, nullptr, "matroska", nullptr);
  if (code < 0) return fail("{}: cannot be made: {}", path.string(), ffmpeg_error(code));
  file.output_.reset(output);
  file.packet_ = make_packet();
  output->flags |= AVFMT_FLAG_FLUSH_PACKETS;
  add_track(*output, parameters, time_base);
  output->pb = make_output(std::move(*made)).release();  // owned by OutputDeleter
  output->flags |= AVFMT_FLAG_CUSTOM_IO;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "cluster_time_limit", "500", 0);  // ms; the muxer holds a cluster in memory
  code = avformat_write_header(output, &options);
  av_dict_free(&options);
  if (code < 0) return fail("{}: cannot be written: {}", path.string(), ffmpeg_error(code));
  file.made_->has_header_of(avio_tell(file.output_->pb));
  return file;
}

Result<void> MatroskaFile::write(const AVPacket& packet, AVRational time_base) {
  const int code = write_packet(*output_, packet, time_base, *packet_);
  if (code < 0)
    return fail("{}: cannot be written further: {}", path_.string(), ffmpeg_error(code));
  made_->take_picture();
  if (made_->is_deleted()) {
    return fail(
        "{}: cannot be written further: the file was deleted or moved to another disk, or its "
        "folder was",
        path_.string());
  }
  return {};
}

Result<void> MatroskaFile::finish() {
  int code = av_write_trailer(output_.get());
  avio_flush(output_->pb);
  if (code >= 0) code = output_->pb->error;
  IoPointer(std::exchange(output_->pb, nullptr)).reset();
  made_.reset();
  if (code < 0)
    return fail("{}: its end cannot be written: {}", path_.string(), ffmpeg_error(code));
  return {};
}

std::uint64_t MatroskaFile::bytes_written() const {
  if (output_->pb == nullptr) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, avio_tell(output_->pb)));
}

}  // namespace submix::io
