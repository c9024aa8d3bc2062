// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/nats_login.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace submix::local {

/// Somebody whom a NATS server lets in.
struct NatsUser {
  cluster::NatsLogin login;
  std::vector<std::string> nodes{};  ///< as which a PC with Rights::render may speak
};

/// A text of nats-server's configuration.
[[nodiscard]] std::string in_quotes(const std::string& text);

inline constexpr std::string_view kAuthorization = "authorization {";

/// The line of nats-server's configuration that begins with `kAuthorization`.
[[nodiscard]] std::string authorization(std::span<const NatsUser> users);

}  // namespace submix::local
