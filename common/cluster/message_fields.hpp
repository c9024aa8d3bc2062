// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the codec: the fields of messages.hpp, each named once.

#include "common/cluster/codec.hpp"
#include "common/cluster/codec_limits.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/cluster/reading_fields.hpp"

#include <vector>

/// `fields(archive, message)` lists the fields of a message in their order in JSON. A JsonReader
/// reads them into the message; a JsonWriter writes them.
namespace submix::cluster {

template <typename Archive>
void fields(Archive& archive, Item<Archive, NetworkInterface>& card) {
  archive.text("name", card.name);
  archive.text("address", card.address);
  archive.integer("prefix_length", card.prefix_length);
  archive.integer("mtu_bytes", card.mtu_bytes);
  archive.integer("speed_mbit", card.speed_mbit);
  archive.boolean("is_up", card.is_up);
  archive.integer("speed_max_mbit", card.speed_max_mbit);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, DataEndpoint>& endpoint) {
  archive.text("address", endpoint.address);
  archive.integer("prefix_length", endpoint.prefix_length);
  archive.integer("port", endpoint.port);
  archive.integer("mtu_bytes", endpoint.mtu_bytes);
  archive.boolean("is_up", endpoint.is_up);
  archive.integer("speed_mbit", endpoint.speed_mbit);
  archive.integer("speed_max_mbit", endpoint.speed_max_mbit);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, Display>& display) {
  archive.text("name", display.name, kDisplayNameBytesMax);
  archive.integer("x", display.x);
  archive.integer("y", display.y);
  archive.integer("width", display.size.width);
  archive.integer("height", display.size.height);
  archive.integer("refresh_hz", display.refresh_hz);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, CaptureDevice>& device) {
  archive.text("device", device.device);
  archive.text("name", device.name);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, HeardSound>& heard) {
  archive.required_text("node", heard.node);
  archive.object("sound", heard.sound);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, SubmixReport>& submix) {
  archive.text("name", submix.name);
  archive.choice("state", submix.state);
  archive.text("error", submix.error);
  archive.boolean("awaits_first_frame", submix.awaits_first_frame);
  archive.boolean("has_trouble", submix.has_trouble);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, NodeReport>& report) {
  archive.required_text("node", report.node);
  archive.text("host", report.host);
  archive.text("version", report.version);
  archive.text("instance", report.instance);
  archive.integer("cores", report.cores);
  archive.integer("show_revision", report.show_revision);
  archive.list("interfaces", report.interfaces, kCardsMax);
  archive.list("endpoints", report.endpoints, kCardsMax);
  archive.text("machine", report.local_endpoint.machine);
  archive.text("local_socket", report.local_endpoint.socket);
  archive.list("submixes", report.submixes, limits::kSubmixes);
  archive.integer("epoch", report.epoch);
  archive.list("displays", report.displays, kDisplaysMax);
  archive.list("capture_devices", report.capture_devices, kCaptureDevicesMax);
  archive.list("sound_devices", report.sound_devices, kCaptureDevicesMax);
  archive.list("loopback_devices", report.loopback_devices, kCaptureDevicesMax);
  archive.text("identity", report.identity);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, DesiredShow>& show) {
  archive.text("toml", show.toml, kMessageBytesMax);
  archive.text("author", show.author);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, DesiredTransport>& transport) {
  archive.boolean("is_paused", transport.is_paused);
  archive.integer("steps", transport.steps);
  archive.text("author", transport.author);
  archive.boolean("is_black", transport.is_black);
  archive.boolean("is_frozen", transport.is_frozen);
  archive.boolean("has_test_cards", transport.has_test_cards);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, Desk>& desk) {
  archive.text("host", desk.host);
  archive.text("version", desk.version);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, AlertsSeen>& alerts) {
  archive.texts("things", alerts.things, AlertsSeen::kThingsMax);
}

// Readers refuse a text of more than kTextMax bytes, so the writer cuts a long list of reasons.
template <typename Archive>
void fields(Archive& archive, Item<Archive, Event>& event) {
  constexpr std::size_t kEventTextMax = kTextMax - 16;
  archive.text("node", event.node);
  archive.choice("severity", event.severity);
  archive.text("about", event.about);
  archive.cut_text("text", event.text, kEventTextMax);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, Command>& command) {
  archive.choice("kind", command.kind);
  archive.text("submix", command.submix);
  archive.text("slot", command.slot);
  archive.integer("width_max", command.width_max);
  archive.text("token", command.token);
  archive.integer("part", command.part);
  archive.integer("seconds", command.seconds);
  archive.text("show", command.show, kMessageBytesMax);
  archive.boolean("is_whole", command.is_whole);
  archive.boolean("is_preview", command.is_preview);
  archive.text("file", command.file);
  archive.number("at", command.at);
  archive.integer("offset", command.offset);
  archive.text("from", command.from);
  archive.boolean("is_stop", command.is_stop);
  archive.text("plugin", command.plugin);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, SubmixFault>& fault) {
  archive.text("submix", fault.submix);
  archive.text("slot", fault.slot);
  archive.text("reason", fault.reason);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, std::vector<SubmixFault>>& faults) {
  archive.list("faults", faults, kSubmixFaultsMax);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, ParameterSummary>& parameter) {
  archive.text("name", parameter.name);
  archive.text("type", parameter.type);
  archive.text("explanation", parameter.explanation);
  archive.parameter("initial", parameter.initial);
  archive.number("minimum", parameter.minimum);
  archive.number("maximum", parameter.maximum);
  archive.texts("choices", parameter.choices, limits::kChoices);
  archive.boolean("integer", parameter.is_integer);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, PluginSummary>& plugin) {
  archive.text("id", plugin.id);
  archive.text("kind", plugin.kind);
  archive.text("explanation", plugin.explanation);
  archive.text("author", plugin.author);
  archive.text("memory", plugin.memory);
  archive.list("parameters", plugin.parameters, limits::kParameters);
  archive.optional_text("refused_because", plugin.refused_because);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, std::vector<PluginSummary>>& plugins) {
  archive.list("plugins", plugins, limits::kPlugins);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, MediaFile>& file) {
  archive.text("name", file.name);
  archive.integer("bytes", file.bytes);
  archive.optional_integer("pictures", file.pictures);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, MediaList>& media) {
  archive.list("files", media.files, MediaList::kFilesMax);
  archive.boolean("is_cut", media.is_cut);
  archive.texts("luts", media.luts, MediaList::kFilesMax);
}

/// The head of a media picture's reply; the JPEG follows as raw bytes.
template <typename Archive>
void fields(Archive& archive, Item<Archive, MediaFacts>& facts) {
  archive.integer("width", facts.size.width);
  archive.integer("height", facts.size.height);
  archive.number("seconds", facts.seconds);
  archive.number("rate", facts.rate);
  archive.text("codec", facts.codec);
  archive.number("decoding_ms", facts.decoding_ms);
}

/// The head of the reply with a part of a file; its bytes follow.
template <typename Archive>
void fields(Archive& archive, Item<Archive, MediaPart>& part) {
  archive.integer("bytes_all", part.bytes_all);
  archive.integer("changed_ns", part.changed_ns);
  archive.text("digest", part.digest);
}

template <typename Archive>
void fields(Archive& archive, Item<Archive, MediaCopy>& copy) {
  archive.integer("bytes", copy.bytes);
  archive.integer("bytes_all", copy.bytes_all);
  archive.boolean("is_over", copy.is_over);
  archive.text("error", copy.error);
}

/// The head of a snapshot's reply; the pixels follow as raw bytes.
template <typename Archive>
void fields(Archive& archive, Item<Archive, Snapshot>& snapshot) {
  archive.integer("width", snapshot.size.width);
  archive.integer("height", snapshot.size.height);
  archive.integer("frame", snapshot.frame);
}

}  // namespace submix::cluster
