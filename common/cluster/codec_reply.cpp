// SPDX-License-Identifier: GPL-3.0-or-later
// A reply is one line of JSON, {"ok": true, …} or {"ok": false, "error": "…"}. Then follow the
// pixels of a snapshot, the JPEG of a file, the text of a part of a trace, or the JSON of a list.
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/cluster/message_fields.hpp"

namespace submix::cluster {
namespace {

constexpr const char* kOk = "ok";
constexpr const char* kError = "error";
constexpr const char* kParts = "parts";
constexpr const char* kFormat = "format";
constexpr const char* kJpeg = "jpeg";
constexpr const char* kMedia = "media";
constexpr const char* kPart = "part";
constexpr const char* kCopy = "copy";

std::string to_line(JsonWriter head) {
  return dump(std::move(head).take()) + "\n";
}

std::string refusal(const Error& error) {
  JsonWriter head;
  head.boolean(kOk, false);
  head.text(kError, error.message);
  return to_line(std::move(head));
}

JsonWriter acceptance() {
  JsonWriter head;
  head.boolean(kOk, true);
  return head;
}

struct ReplyHead {
  bool is_ok = false;
  std::string error;
  Snapshot snapshot;        // without its pixels
  std::string format;       // of its pixels
  std::uint32_t parts = 0;  // of a trace or a large picture
  MediaFacts media;
  MediaPart part;  // without its bytes
  MediaCopy copy;
};

void fields(JsonReader& reader, ReplyHead& head) {
  reader.boolean(kOk, head.is_ok);
  reader.text(kError, head.error);
  fields(reader, head.snapshot);
  reader.text(kFormat, head.format);
  reader.integer(kParts, head.parts);
  reader.object(kMedia, head.media);
  reader.object(kPart, head.part);
  reader.object(kCopy, head.copy);
}

Result<ReplyHead> decode_head(std::string_view line) {
  return read_message<ReplyHead>(line, kMessageBytesMax, "reply");
}

// Takes the head of a reply off `bytes`. A refusal is returned as an error.
Result<ReplyHead> take_head(std::string_view& bytes) {
  const auto end = bytes.find('\n');
  if (end == std::string_view::npos)
    return fail("reply: {} bytes without a head line", bytes.size());
  auto head = decode_head(bytes.substr(0, end));
  if (head && !head->is_ok)
    return fail("{}", head->error.empty() ? "refused without a reason" : head->error);
  bytes.remove_prefix(end + 1);
  return head;
}

}  // namespace

std::string encode_reply(const Result<Snapshot>& reply) {
  if (!reply) return refusal(reply.error());
  auto head = acceptance();
  fields(head, *reply);
  const bool is_jpeg = !reply->jpeg.empty();
  head.text(kFormat, is_jpeg ? kJpeg : "rgb24");
  return to_line(std::move(head)) + (is_jpeg ? reply->jpeg : reply->rgb24);
}

std::string encode_reply(const Result<std::vector<PluginSummary>>& reply) {
  if (!reply) return refusal(reply.error());
  return to_line(acceptance()) + encode(*reply);
}

std::string encode_reply(const Result<std::vector<SubmixFault>>& reply) {
  if (!reply) return refusal(reply.error());
  return to_line(acceptance()) + encode(*reply);
}

std::string encode_reply(const Result<MediaList>& reply) {
  if (!reply) return refusal(reply.error());
  return to_line(acceptance()) + encode(*reply);
}

std::string encode_reply(const Result<MediaPicture>& reply) {
  if (!reply) return refusal(reply.error());
  auto head = acceptance();
  head.object(kMedia, reply->facts);
  return to_line(std::move(head)) + reply->jpeg;
}

std::string encode_reply(const Result<MediaPart>& reply) {
  if (!reply) return refusal(reply.error());
  auto head = acceptance();
  head.object(kPart, *reply);
  return to_line(std::move(head)) + reply->bytes;
}

std::string encode_reply(const Result<MediaCopy>& reply) {
  if (!reply) return refusal(reply.error());
  auto head = acceptance();
  head.object(kCopy, *reply);
  return to_line(std::move(head));
}

std::string encode_reply(const Result<TracePart>& reply) {
  if (!reply) return refusal(reply.error());
  auto head = acceptance();
  head.integer(kParts, reply->parts);
  return to_line(std::move(head)) + reply->text;
}

Result<Snapshot> decode_snapshot_reply(std::string_view bytes) {
  auto head = take_head(bytes);
  SUBMIX_TRY(head);
  auto& snapshot = head->snapshot;
  const bool is_size = snapshot.size.width > 0 && snapshot.size.height > 0 &&
                       snapshot.size.width <= kLargestSize.width &&
                       snapshot.size.height <= kLargestSize.height;
  const bool is_jpeg = head->format == kJpeg;
  const bool has_pixels = is_jpeg ? !bytes.empty() : bytes.size() == snapshot.size.pixels() * 3;
  if (!is_size || !has_pixels) {
    return fail("reply: {} bytes are no picture of {} x {} pixels", bytes.size(),
                snapshot.size.width, snapshot.size.height);
  }
  (is_jpeg ? snapshot.jpeg : snapshot.rgb24) = bytes;
  return std::move(snapshot);
}

Result<std::vector<PluginSummary>> decode_plugins_reply(std::string_view bytes) {
  const auto head = take_head(bytes);
  SUBMIX_TRY(head);
  return decode<std::vector<PluginSummary>>(bytes);
}

Result<std::vector<SubmixFault>> decode_check_reply(std::string_view bytes) {
  const auto head = take_head(bytes);
  SUBMIX_TRY(head);
  return decode<std::vector<SubmixFault>>(bytes);
}

Result<MediaList> decode_media_reply(std::string_view bytes) {
  const auto head = take_head(bytes);
  SUBMIX_TRY(head);
  return decode<MediaList>(bytes);
}

Result<MediaPicture> decode_media_picture_reply(std::string_view bytes) {
  auto head = take_head(bytes);
  SUBMIX_TRY(head);
  return MediaPicture{std::string(bytes), std::move(head->media)};
}

Result<MediaPart> decode_media_part_reply(std::string_view bytes) {
  auto head = take_head(bytes);
  SUBMIX_TRY(head);
  if (bytes.size() > kMediaPartBytes)
    return fail("reply: {} bytes are no part of a file; at most {} are allowed", bytes.size(),
                kMediaPartBytes);
  head->part.bytes = bytes;
  return std::move(head->part);
}

Result<MediaCopy> decode_media_copy_reply(std::string_view bytes) {
  auto head = take_head(bytes);
  SUBMIX_TRY(head);
  return std::move(head->copy);
}

bool is_part(std::string_view reply) {
  const auto head = take_head(reply);
  return head && head->parts > 0;
}

Result<TracePart> decode_trace_reply(std::string_view bytes) {
  const auto head = take_head(bytes);
  SUBMIX_TRY(head);
  if (head->parts == 0 || head->parts > kTracePartsMax || bytes.size() > kTracePartBytes) {
    return fail("reply: {} bytes are no part of {} parts; at most {} of {} bytes are allowed",
                bytes.size(), head->parts, kTracePartsMax, kTracePartBytes);
  }
  return TracePart{head->parts, std::string(bytes)};
}

}  // namespace submix::cluster
