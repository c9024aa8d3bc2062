// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/pipe/picture_headers.hpp"

#include <fmt/format.h>

#include <array>

namespace submix::io {
namespace {

// RFC 8794 (EBML) and RFC 9559 (Matroska).
enum : std::uint32_t {
  kEbml = 0x1A45DFA3,
  kEbmlVersion = 0x4286,
  kEbmlReadVersion = 0x42F7,
  kDocType = 0x4282,
  kDocTypeVersion = 0x4287,
  kDocTypeReadVersion = 0x4285,
  kSegment = 0x18538067,
  kInfo = 0x1549A966,
  kTimestampScale = 0x2AD7B1,
  kMuxingApp = 0x4D80,
  kWritingApp = 0x5741,
  kTracks = 0x1654AE6B,
  kTrackEntry = 0xAE,
  kTrackNumber = 0xD7,
  kTrackUid = 0x73C5,
  kTrackType = 0x83,
  kFlagLacing = 0x9C,
  kDefaultDuration = 0x23E383,
  kCodecId = 0x86,
  kVideo = 0xE0,
  kPixelWidth = 0xB0,
  kPixelHeight = 0xBA,
  kColourSpace = 0x2EB524,
  kCluster = 0x1F43B675,
  kTimestamp = 0xE7,
  kSimpleBlock = 0xA3,
};

constexpr std::uint8_t kVideoTrack = 1;
constexpr std::string_view kUncompressed = "V_UNCOMPRESSED";
constexpr std::uint64_t kEndless = 0x00FFFFFFFFFFFFFF;

using Bytes = std::vector<std::uint8_t>;

void put_big_endian(Bytes& bytes, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i)
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put_id(Bytes& bytes, std::uint32_t id) {
  put_big_endian(bytes, id, id > 0xFFFFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1);
}

// Always in eight bytes.
void put_size(Bytes& bytes, std::uint64_t size) {
  put_big_endian(bytes, size | (1ULL << 56), 8);
}

void put_number(Bytes& bytes, std::uint32_t id, std::uint64_t value) {
  put_id(bytes, id);
  put_size(bytes, 8);
  put_big_endian(bytes, value, 8);
}

void put_text(Bytes& bytes, std::uint32_t id, std::string_view text) {
  put_id(bytes, id);
  put_size(bytes, text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
}

void put_group(Bytes& bytes, std::uint32_t id, const Bytes& contents) {
  put_id(bytes, id);
  put_size(bytes, contents.size());
  bytes.insert(bytes.end(), contents.begin(), contents.end());
}

Bytes ebml_contents() {
  Bytes ebml;
  put_number(ebml, kEbmlVersion, 1);
  put_number(ebml, kEbmlReadVersion, 1);
  put_text(ebml, kDocType, "matroska");
  put_number(ebml, kDocTypeVersion, 4);
  put_number(ebml, kDocTypeReadVersion, 2);
  return ebml;
}

Bytes info_contents() {
  Bytes info;
  put_number(info, kTimestampScale, 1'000'000);
  put_text(info, kMuxingApp, "Submix");
  put_text(info, kWritingApp, "Submix");
  return info;
}

Bytes track_contents(Size size, FrameRate rate) {
  Bytes video;
  put_number(video, kPixelWidth, static_cast<std::uint64_t>(size.width));
  put_number(video, kPixelHeight, static_cast<std::uint64_t>(size.height));
  put_text(video, kColourSpace, "RGB\x18");

  Bytes track;
  put_number(track, kTrackNumber, 1);
  put_number(track, kTrackUid, 1);
  put_number(track, kTrackType, kVideoTrack);
  put_number(track, kFlagLacing, 0);
  put_number(track, kDefaultDuration, static_cast<std::uint64_t>(rate.time_of({1}).count()));
  put_text(track, kCodecId, kUncompressed);
  put_group(track, kVideo, video);
  return track;
}

}  // namespace

std::vector<std::uint8_t> matroska_header(Size size, FrameRate rate) {
  Bytes tracks;
  put_group(tracks, kTrackEntry, track_contents(size, rate));

  Bytes header;
  put_group(header, kEbml, ebml_contents());
  put_id(header, kSegment);
  put_size(header, kEndless);
  put_group(header, kInfo, info_contents());
  put_group(header, kTracks, tracks);
  return header;
}

std::vector<std::uint8_t> matroska_cluster(std::size_t picture_bytes,
                                           std::chrono::milliseconds time) {
  constexpr std::array<std::uint8_t, 4> kBlockHead{0x81, 0, 0, 0x80};  // track 1, at 0 ms, a key
  Bytes inside;
  put_number(inside, kTimestamp, static_cast<std::uint64_t>(time.count()));
  put_id(inside, kSimpleBlock);
  put_size(inside, kBlockHead.size() + picture_bytes);
  inside.insert(inside.end(), kBlockHead.begin(), kBlockHead.end());

  Bytes cluster;
  put_id(cluster, kCluster);
  put_size(cluster, inside.size() + picture_bytes);
  cluster.insert(cluster.end(), inside.begin(), inside.end());
  return cluster;
}

std::string y4m_header(Size size, FrameRate rate) {
  return fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED\n", size.width,
                     size.height, rate.numerator, rate.denominator);
}

}  // namespace submix::io
