// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/cluster/message_fields.hpp"

namespace submix::cluster {

std::string encode(const DesiredShow& message) {
  return write_message(message);
}
std::string encode(const DesiredTransport& message) {
  return write_message(message);
}
std::string encode(const Desk& message) {
  return write_message(message);
}
std::string encode(const AlertsSeen& message) {
  return write_message(message);
}
std::string encode(const NodeReport& message) {
  return write_message(message);
}
std::string encode(const Event& message) {
  return write_message(message);
}
std::string encode(const HeardSound& message) {
  return write_message(message);
}
std::string encode(const Command& message) {
  return write_message(message);
}
std::string encode(const std::vector<SubmixFault>& message) {
  return write_message(message);
}
std::string encode(const std::vector<PluginSummary>& message) {
  return write_message(message);
}
std::string encode(const MediaList& message) {
  return write_message(message);
}

template <>
Result<DesiredShow> decode(std::string_view text) {
  return read_message<DesiredShow>(text, kMessageBytesMax, "show");
}
template <>
Result<DesiredTransport> decode(std::string_view text) {
  return read_message<DesiredTransport>(text, kMessageBytesMax, "transport");
}
template <>
Result<Desk> decode(std::string_view text) {
  return read_message<Desk>(text, kMessageBytesMax, "desk");
}
template <>
Result<AlertsSeen> decode(std::string_view text) {
  return read_message<AlertsSeen>(text, kMessageBytesMax, "seen alerts");
}
template <>
Result<NodeReport> decode(std::string_view text) {
  return read_message<NodeReport>(text, kMessageBytesMax, "report");
}
template <>
Result<Event> decode(std::string_view text) {
  return read_message<Event>(text, kMessageBytesMax, "event");
}
template <>
Result<HeardSound> decode(std::string_view text) {
  return read_message<HeardSound>(text, kMessageBytesMax, "sound");
}
template <>
Result<Command> decode(std::string_view text) {
  return read_message<Command>(text, kMessageBytesMax, "command");
}
template <>
Result<MediaList> decode(std::string_view text) {
  return read_message<MediaList>(text, kMessageBytesMax, "media");
}
template <>
Result<std::vector<SubmixFault>> decode(std::string_view text) {
  return read_message<std::vector<SubmixFault>>(text, kMessageBytesMax, "faults");
}
template <>
Result<std::vector<PluginSummary>> decode(std::string_view text) {
  return read_message<std::vector<PluginSummary>>(text, kMessageBytesMax, "plugins");
}

}  // namespace submix::cluster
