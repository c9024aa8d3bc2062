// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/rights.hpp"

#include "common/cluster/key_message.hpp"
#include "common/cluster/subjects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace submix::cluster {
namespace {

using Subjects = std::vector<std::string>;

// Answers to requests, and the messages of watches, come to a subject of this form.
constexpr std::string_view kAnswers = "_INBOX.>";

// Reading the buckets. NATS's own subjects.
constexpr std::array kReading{
    "$JS.API.STREAM.NAMES",      "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.MSG.GET.*",  "$JS.API.DIRECT.GET.>",
    "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.INFO.>",
    "$JS.API.CONSUMER.DELETE.>", "$JS.FC.>",
};
// Of the show and its nodes: pictures and lists.
constexpr std::array kWatchedKinds{
    CommandKind::snapshot,       CommandKind::plugins, CommandKind::trace,
    CommandKind::check,          CommandKind::media,   CommandKind::media_picture,
    CommandKind::effect_picture,
};

void add(Subjects& all, const Subjects& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// What everybody may publish: to read, to make a bucket that is missing, to see the show, to read
/// the clock, and to answer to a new key.
Subjects watching() {
  Subjects subjects(kReading.begin(), kReading.end());
  for (const auto bucket : {kDesired, kReported, kAlive})
    subjects.push_back(fmt::format("$JS.API.STREAM.CREATE.KV_{}", bucket));
  for (const auto kind : kWatchedKinds)
    subjects.push_back(command_subject(kind, "*"));
  add(subjects, {key_subject(kAlive, kServersTime), std::string(kKeyReplies)});
  return subjects;
}

/// What everybody may subscribe to.
Subjects hearing() {
  return {std::string(kAnswers), subject_of(kTelemetry, kAllKeys), subject_of(kEvent, kAllKeys),
          subject_of(kSound, kAllKeys), std::string(kKeyOffers)};
}

/// A node fetches files from other nodes, and keeps the newest show that ran on all.
Subjects rendering() {
  return {command_subject(CommandKind::media_part, "*"), key_subject(kDesired, kGoodShowKeyName)};
}

/// What a node says.
Subjects speaking(const std::string& node) {
  return {key_subject(kReported, node), key_subject(kAlive, node), subject_of(kTelemetry, node),
          subject_of(kEvent, node), subject_of(kSound, node)};
}

std::string_view next_token(std::string_view& subject) {
  const auto dot = subject.find('.');
  const auto token = subject.substr(0, dot);
  subject = dot == std::string_view::npos ? std::string_view() : subject.substr(dot + 1);
  return token;
}

bool is_match(std::string_view pattern, std::string_view subject) {
  while (!pattern.empty() && !subject.empty()) {
    const auto wanted = next_token(pattern);
    if (wanted == ">") return true;
    const auto token = next_token(subject);
    if (wanted != "*" && wanted != token) return false;
  }
  return pattern.empty() && subject.empty();
}

}  // namespace

Permissions permissions_of(Rights rights, std::span<const std::string> nodes) {
  if (rights == Rights::everything) return {{">"}, {">"}};
  Permissions permissions{watching(), hearing()};
  if (rights == Rights::watch) return permissions;
  add(permissions.publish, rendering());
  for (const auto& node : nodes) {
    add(permissions.publish, speaking(node));
    permissions.subscribe.push_back(subject_of("command.*", node));
  }
  return permissions;
}

bool may_publish(Rights rights, std::string_view subject) {
  if (rights == Rights::everything) return true;
  static const std::array<std::string, 1> kAnyNode{"*"};
  static const auto kRenders = permissions_of(Rights::render, kAnyNode).publish;
  static const auto kWatches = permissions_of(Rights::watch, kAnyNode).publish;
  return std::ranges::any_of(rights == Rights::render ? kRenders : kWatches,
                             [&](const auto& pattern) { return is_match(pattern, subject); });
}

std::optional<Rights> parse_rights(std::string_view name) {
  const auto names = names_of(Rights{});
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Rights>(found - names.begin());
}

std::string refusal(Rights rights) {
  const auto* const what = rights == Rights::watch
                               ? "this PC may only watch the show"
                               : "this PC may only run the nodes that its desk knows";
  return fmt::format(
      "{}; its desk decides that: in the window by Several PCs, else by submix peers allow", what);
}

}  // namespace submix::cluster
