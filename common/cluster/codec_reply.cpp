// SPDX-License-Identifier: GPL-3.0-or-later
// A reply is one line of JSON, {"ok": true, …} or {"ok": false, "error": "…"}, then, for a snapshot, the
// pixels, for a part of a trace its text.
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"

namespace submix::cluster {
namespace {

std::string refusal(const Error& error) {
  return dump({{"ok", false}, {"error", error.message}}) + "\n";
}

struct Head {
  bool is_ok = false;
  std::string error;
  Snapshot snapshot;        // without its pixels
  std::uint32_t parts = 0;  // of a trace
};

Result<Head> decode_head(std::string_view line) {
  return decode_object<Head>(line, kMessageBytesMax, "reply", [](Fields& fields, Head& head) {
    fields.boolean("ok", head.is_ok);
    fields.text("error", head.error);
    fields.integer("width", head.snapshot.size.width);
    fields.integer("height", head.snapshot.size.height);
    fields.integer("frame", head.snapshot.frame);
    fields.integer("parts", head.parts);
  });
}

// The head of a reply that is no refusal, and `bytes` without it.
Result<Head> take_head(std::string_view& bytes) {
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
  const Json head{{"ok", true},
                  {"width", reply->size.width},
                  {"height", reply->size.height},
                  {"frame", reply->frame},
                  {"format", "rgb24"}};
  return dump(head) + "\n" + reply->rgb24;
}

std::string encode_reply(const Result<std::vector<PluginSummary>>& reply) {
  if (!reply) return refusal(reply.error());
  return dump({{"ok", true}}) + "\n" + encode(*reply);
}

std::string encode_reply(const Result<std::vector<SubmixFault>>& reply) {
  if (!reply) return refusal(reply.error());
  return dump({{"ok", true}}) + "\n" + encode(*reply);
}

std::string encode_reply(const Result<TracePart>& reply) {
  if (!reply) return refusal(reply.error());
  return dump({{"ok", true}, {"parts", reply->parts}}) + "\n" + reply->text;
}

Result<Snapshot> decode_snapshot_reply(std::string_view bytes) {
  auto head = take_head(bytes);
  SUBMIX_TRY(head);
  auto& snapshot = head->snapshot;
  const bool is_size = snapshot.size.width > 0 && snapshot.size.height > 0 &&
                       snapshot.size.width <= kLargestSize.width &&
                       snapshot.size.height <= kLargestSize.height;
  if (!is_size || bytes.size() != snapshot.size.pixels() * 3) {
    return fail("reply: {} bytes are no picture of {} x {} pixels", bytes.size(),
                snapshot.size.width, snapshot.size.height);
  }
  snapshot.rgb24 = bytes;
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
