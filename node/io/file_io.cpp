// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::io {
namespace {

constexpr int kBufferBytes = 1 << 16;
// Of a program stream, to find its last pictures: at least one time stamp lies in so much.
constexpr std::int64_t kTailBytes = std::int64_t{4} << 20U;
constexpr double kTailSecondsMax = 2;  // a stream of joined parts begins its times anew
constexpr std::int64_t kSvgBytesMax = std::int64_t{16} << 20U;  // usual drawings: a hundredth

/// Containers of video, and files of one image; each holds everything that it shows. Left out on
/// purpose: playlists and manifests, text drawn as a picture, videos of old games. An SVG may name
/// other files, but its decoder opens none of them.
constexpr const char* kFormats =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,mpegvideo,m4v,h261,h263,h264,hevc,"
    "obu,ivf,vc1,dirac,flv,asf,ogg,mxf,gxf,nut,dv,wtv,rm,nsv,yuv4mpegpipe,mjpeg,mjpeg_2000,gif,"
    "apng,bmp_pipe,dds_pipe,dpx_pipe,exr_pipe,gif_pipe,hdr_pipe,j2k_pipe,jpeg_pipe,jpegls_pipe,"
    "jpegxl_pipe,jpegxl_anim,image2pipe,pam_pipe,pbm_pipe,pcx_pipe,pfm_pipe,pgm_pipe,"
    "pgmyuv_pipe,pgx_pipe,phm_pipe,png_pipe,ppm_pipe,psd_pipe,qoi_pipe,sgi_pipe,sunrast_pipe,"
    "svg_pipe,tiff_pipe,webp_pipe,xbm_pipe,xpm_pipe,xwd_pipe";

struct OpenIo {
  Descriptor file;
  std::int64_t position = 0;
};

int read_some(void* opaque, std::uint8_t* bytes, int size) {
  auto& io = *static_cast<OpenIo*>(opaque);
  ssize_t count = -1;
  do {
    count = ::pread(io.file.get(), bytes, static_cast<std::size_t>(size), io.position);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return AVERROR(errno);
  if (count == 0) return AVERROR_EOF;
  io.position += count;
  return static_cast<int>(count);
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
using WrittenBytes = const std::uint8_t;
#else
using WrittenBytes = std::uint8_t;
#endif

int write_all(void* opaque, WrittenBytes* bytes, int size) {
  auto& io = *static_cast<OpenIo*>(opaque);
  for (int done = 0; done < size;) {
    const auto count =
        ::pwrite(io.file.get(), bytes + done, static_cast<std::size_t>(size - done), io.position);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return AVERROR(errno);
    done += static_cast<int>(count);
    io.position += count;
  }
  return size;
}

std::int64_t seek(void* opaque, std::int64_t offset, int whence) {
  auto& io = *static_cast<OpenIo*>(opaque);
  struct stat status{};
  if (::fstat(io.file.get(), &status) != 0) return AVERROR(errno);
  whence &= ~AVSEEK_FORCE;
  if (whence == AVSEEK_SIZE) return status.st_size;
  std::int64_t from = 0;
  if (whence == SEEK_CUR) from = io.position;
  if (whence == SEEK_END) from = status.st_size;
  if (offset < -from) return AVERROR(EINVAL);
  return io.position = from + offset;
}

IoPointer make_io(Descriptor file, bool is_output) {
  auto owned = std::make_unique<OpenIo>(OpenIo{std::move(file)});
  auto* buffer = static_cast<std::uint8_t*>(av_malloc(kBufferBytes));
  if (buffer == nullptr) throw std::bad_alloc();
  auto* io =
      avio_alloc_context(buffer, kBufferBytes, is_output ? 1 : 0, owned.get(),
                         is_output ? nullptr : read_some, is_output ? write_all : nullptr, seek);
  if (io == nullptr) {
    av_free(buffer);
    throw std::bad_alloc();
  }
  [[maybe_unused]] const auto* kept = owned.release();  // owned by IoDeleter from here on
  return IoPointer(io);
}

bool is_svg(const AVFormatContext& input) {
  return input.nb_streams == 1 && input.streams[0]->codecpar->codec_id == AV_CODEC_ID_SVG;
}

/// In decoding order a packet's time is that of the picture that is shown then, so the last picture
/// follows after the delay for reordering.
void reach_end_of(const AVPacket& packet, AVStream& stream) {
  if (packet.dts == AV_NOPTS_VALUE || stream.start_time == AV_NOPTS_VALUE) return;
  const int pictures = 1 + stream.codecpar->video_delay;
  const auto length = packet.dts + packet.duration * pictures - stream.start_time;
  const auto more = static_cast<double>(length - stream.duration) * av_q2d(stream.time_base);
  if (stream.duration > 0 && more > 0 && more < kTailSecondsMax) stream.duration = length;
}

/// A program stream has no length. FFmpeg takes the last time stamp for its end, but several
/// pictures may follow it.
void find_end_of_program_stream(AVFormatContext& input) {
  if (std::string_view(input.iformat->name) != "mpeg") return;
  const auto packet = make_packet();
  const auto tail = std::max(std::int64_t{0}, avio_size(input.pb) - kTailBytes);
  if (av_seek_frame(&input, -1, tail, AVSEEK_FLAG_BYTE) < 0) return;
  while (av_read_frame(&input, packet.get()) >= 0) {
    auto& stream = *input.streams[packet->stream_index];
    if (stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO) reach_end_of(*packet, stream);
    av_packet_unref(packet.get());
  }
  av_seek_frame(&input, -1, 0, AVSEEK_FLAG_BYTE);
}

/// FFmpeg would read a name with a pattern as a series of files, and open them itself.
std::string name_without_pattern(const OpenFile& file) {
  auto name = file.path.string();
  std::ranges::replace(name, '%', '_');
  return name;
}

std::int64_t bytes_of(const OpenFile& file) {
  struct stat status{};
  return ::fstat(file.descriptor.get(), &status) == 0 ? status.st_size : 0;
}

/// A Targa image has no signature at its beginning, and an SVG's may come late. So the name
/// identifies these formats. The whole file is one picture.
const AVInputFormat* format_by_name(const OpenFile& file, AVDictionary** options) {
  const auto ending = ending_of(file.path);
  const bool is_drawing = ending == ".svg" || ending == ".svgz";
  if (ending != ".tga" && !is_drawing) return nullptr;
  av_dict_set_int(options, "frame_size", std::min(bytes_of(file), kImageBytesMax), 0);
  return av_find_input_format(is_drawing ? "svg_pipe" : "image2pipe");
}

}  // namespace

int find_streams(AVFormatContext& input) {
  std::vector<AVDictionary*> options(input.nb_streams);
  for (auto& option : options)
    av_dict_set_int(&option, "max_pixels", kDecodedPixelsMax, 0);
  const int found = avformat_find_stream_info(&input, options.empty() ? nullptr : options.data());
  for (auto& option : options)
    av_dict_free(&option);
  return found;
}

void IoDeleter::operator()(AVIOContext* io) const {
  if (io->write_flag != 0) avio_flush(io);
  delete static_cast<OpenIo*>(io->opaque);
  av_freep(static_cast<void*>(&io->buffer));
  avio_context_free(&io);
}

Result<InputPointer> open_input(const OpenFile& file) {
  const auto about = file.path.string();
  Descriptor again(::fcntl(file.descriptor.get(), F_DUPFD_CLOEXEC, 0));
  if (!again) return fail("{}: cannot be opened again: {}", about, std::strerror(errno));
  auto io = make_io(std::move(again), false);
  AVFormatContext* opened = avformat_alloc_context();
  if (opened == nullptr) throw std::bad_alloc();
  opened->pb = io.get();
  opened->io_open = refuse_other_file;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  av_dict_set(&options, "format_whitelist", kFormats, 0);
  const auto* format = format_by_name(file, &options);
  const auto name = name_without_pattern(file);
  const int code = avformat_open_input(&opened, name.c_str(), format, &options);
  av_dict_free(&options);
  if (code == AVERROR(EINVAL))
    return fail(
        "{}: FFmpeg cannot open it: it is no video and no image of a kind that is shown here",
        about);
  if (code < 0) return fail("{}: FFmpeg cannot open it: {}", about, ffmpeg_error(code));
  [[maybe_unused]] const auto* kept = io.release();  // owned by InputDeleter from here on
  InputPointer input(opened);
  if (is_svg(*input)) {  // FFmpeg would draw it, in a size of its own
    if (bytes_of(file) <= kSvgBytesMax) return input;
    return fail("{}: an SVG has at most {} MiB here, and this one has {}; save it as PNG", about,
                kSvgBytesMax >> 20U, (bytes_of(file) >> 20U) + 1);
  }
  if (const int found = find_streams(*input); found < 0)
    return fail("{}: FFmpeg finds no streams in it: {}", about, ffmpeg_error(found));
  find_end_of_program_stream(*input);
  return input;
}

IoPointer make_output(OpenFile file) {
  return make_io(std::move(file.descriptor), true);
}

}  // namespace submix::io
