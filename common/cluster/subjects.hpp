// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to this folder.

#include "common/cluster/names.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

/// The names of buckets, keys and subjects, each stated once: CONTROL.md explains them.
namespace submix::cluster {

inline constexpr std::string_view kDesired = "submix-desired";
inline constexpr std::string_view kReported = "submix-reported";
inline constexpr std::string_view kAlive =
    "submix-alive";  ///< a key for each node; nobody watches it

// Keys of `kDesired`.
inline constexpr std::string_view kShowKeyName = "show";
inline constexpr std::string_view kTransportKeyName = "transport";
inline constexpr std::string_view kGoodShowKeyName = "good-show";
inline constexpr std::string_view kDeskKeyName = "desk";
inline constexpr std::string_view kAlertsSeenKeyName = "alerts-seen";
/// A key of `kAlive`, and no node's name: written to read the clock.
inline constexpr std::string_view kServersTime = "/now";
inline constexpr std::string_view kAllKeys = ">";

// Kinds of messages that a node sends.
inline constexpr std::string_view kTelemetry = "telemetry";
inline constexpr std::string_view kEvent = "event";
inline constexpr std::string_view kSound = "sound";

/// "submix.telemetry.left". `node` may be a wildcard: "*" or ">".
[[nodiscard]] inline std::string subject_of(std::string_view kind, std::string_view node) {
  return fmt::format("submix.{}.{}", kind, node);
}

/// "submix.command.snapshot.left". Each kind of command has its own subject and thus its own
/// answering thread: no picture waits for a list of plugins.
[[nodiscard]] inline std::string command_subject(CommandKind kind, std::string_view node) {
  return subject_of("command", fmt::format("{}.{}", name_of(kind), node));
}

/// To which the value of a bucket's key is written.
[[nodiscard]] inline std::string key_subject(std::string_view bucket, std::string_view key) {
  return fmt::format("$KV.{}.{}", bucket, key);
}

}  // namespace submix::cluster
