// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "common/telemetry/readings.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// messages.hpp as JSON. Unknown fields are ignored and missing fields keep their initial value, to
/// let different versions work together. A field with a wrong type or out of range is an error
/// naming the field.
namespace submix::cluster {

inline constexpr std::size_t kMessageBytesMax = std::size_t{1} << 20;

[[nodiscard]] std::string encode(const DesiredShow& message);
[[nodiscard]] std::string encode(const DesiredTransport& message);
[[nodiscard]] std::string encode(const Desk& message);
[[nodiscard]] std::string encode(const AlertsSeen& message);
[[nodiscard]] std::string encode(const NodeReport& message);
[[nodiscard]] std::string encode(const Event& message);
[[nodiscard]] std::string encode(const HeardSound& message);
[[nodiscard]] std::string encode(const Command& message);
[[nodiscard]] std::string encode(const std::vector<PluginSummary>& message);
[[nodiscard]] std::string encode(const std::vector<SubmixFault>& message);
[[nodiscard]] std::string encode(const MediaList& message);
[[nodiscard]] std::string encode(const telemetry::NodeReading& message);

/// `decode<NodeReport>(text)`, for every type above.
template <typename Message>
[[nodiscard]] Result<Message> decode(std::string_view text) = delete;
template <>
[[nodiscard]] Result<DesiredShow> decode(std::string_view text);
template <>
[[nodiscard]] Result<DesiredTransport> decode(std::string_view text);
template <>
[[nodiscard]] Result<Desk> decode(std::string_view text);
template <>
[[nodiscard]] Result<AlertsSeen> decode(std::string_view text);
template <>
[[nodiscard]] Result<NodeReport> decode(std::string_view text);
template <>
[[nodiscard]] Result<Event> decode(std::string_view text);
template <>
[[nodiscard]] Result<HeardSound> decode(std::string_view text);
template <>
[[nodiscard]] Result<Command> decode(std::string_view text);
template <>
[[nodiscard]] Result<std::vector<PluginSummary>> decode(std::string_view text);
template <>
[[nodiscard]] Result<std::vector<SubmixFault>> decode(std::string_view text);
template <>
[[nodiscard]] Result<MediaList> decode(std::string_view text);
template <>
[[nodiscard]] Result<telemetry::NodeReading> decode(std::string_view text);

/// A reply is one line of JSON, then raw bytes. A refusal is a reply, too.
[[nodiscard]] std::string encode_reply(const Result<Snapshot>& reply);
[[nodiscard]] std::string encode_reply(const Result<std::vector<PluginSummary>>& reply);
[[nodiscard]] std::string encode_reply(const Result<TracePart>& reply);
[[nodiscard]] std::string encode_reply(const Result<std::vector<SubmixFault>>& reply);
[[nodiscard]] std::string encode_reply(const Result<MediaList>& reply);
[[nodiscard]] std::string encode_reply(const Result<MediaPicture>& reply);
[[nodiscard]] std::string encode_reply(const Result<MediaPart>& reply);
[[nodiscard]] std::string encode_reply(const Result<MediaCopy>& reply);
[[nodiscard]] Result<Snapshot> decode_snapshot_reply(std::string_view bytes);
[[nodiscard]] Result<std::vector<PluginSummary>> decode_plugins_reply(std::string_view bytes);
[[nodiscard]] Result<TracePart> decode_trace_reply(std::string_view bytes);
[[nodiscard]] Result<std::vector<SubmixFault>> decode_check_reply(std::string_view bytes);
[[nodiscard]] Result<MediaList> decode_media_reply(std::string_view bytes);
[[nodiscard]] Result<MediaPicture> decode_media_picture_reply(std::string_view bytes);
[[nodiscard]] Result<MediaPart> decode_media_part_reply(std::string_view bytes);
[[nodiscard]] Result<MediaCopy> decode_media_copy_reply(std::string_view bytes);
/// Whether a reply is a part of a larger one, carried by a TracePart.
[[nodiscard]] bool is_part(std::string_view reply);

}  // namespace submix::cluster
