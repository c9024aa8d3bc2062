// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/rights.hpp"

#include "common/cluster/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace submix::cluster {
namespace {

// Answers to requests, and the messages of watches, come to a subject of this form.
constexpr std::string_view kAnswers = "_INBOX.>";

// Reading the buckets, and making them where they are missing. A bucket that exists stays as it is.
constexpr std::array kReading{
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.CREATE.KV_submix-desired",
    "$JS.API.STREAM.CREATE.KV_submix-reported",
    "$JS.API.STREAM.CREATE.KV_submix-alive",
    "$JS.API.STREAM.MSG.GET.*",
    "$JS.API.DIRECT.GET.>",
    "$JS.API.CONSUMER.CREATE.>",
    "$JS.API.CONSUMER.INFO.>",
    "$JS.API.CONSUMER.DELETE.>",
    "$JS.FC.>",
};
// Of the show and its nodes: the cluster's clock, pictures, lists, and the answer to a new key.
constexpr std::array kWatching{
    "$KV.submix-alive./now",           "submix.key.reply",
    "submix.command.snapshot.*",       "submix.command.plugins.*",
    "submix.command.trace.*",          "submix.command.check.*",
    "submix.command.media.*",          "submix.command.media_picture.*",
    "submix.command.effect_picture.*",
};
constexpr std::array kHearing{
    "submix.telemetry.>",
    "submix.event.>",
    "submix.sound.>",
    "submix.key.offer",
};
// A node fetches files from other nodes, and keeps the newest show that ran on all.
constexpr std::array kRendering{"submix.command.media_part.*", "$KV.submix-desired.good-show"};
// What a node says; its name follows.
constexpr std::array kSpeaking{
    "$KV.submix-reported.", "$KV.submix-alive.", "submix.telemetry.",
    "submix.event.",        "submix.sound.",
};

template <typename Subjects>
void add(std::vector<std::string>& all, const Subjects& subjects) {
  all.insert(all.end(), subjects.begin(), subjects.end());
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
  Permissions permissions;
  add(permissions.publish, kReading);
  add(permissions.publish, kWatching);
  permissions.subscribe.emplace_back(kAnswers);
  add(permissions.subscribe, kHearing);
  if (rights == Rights::watch) return permissions;
  add(permissions.publish, kRendering);
  for (const auto& node : nodes) {
    for (const auto* const begin : kSpeaking)
      permissions.publish.push_back(begin + node);
    permissions.subscribe.push_back("submix.command.*." + node);
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
