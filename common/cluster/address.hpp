// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace submix::cluster {

inline constexpr std::string_view kDefaultUrl = "nats://127.0.0.1:4222";

/// Whether `host` cannot be reached from another machine: 127.x.x.x, ::1, localhost.
[[nodiscard]] bool is_loopback(std::string_view host);

/// "nats://a:4222,nats://b:4222" as its parts, each a complete URL. Errors name the form.
[[nodiscard]] Result<std::vector<std::string>> parse_urls(std::string_view urls);
/// The host in one of those.
[[nodiscard]] std::string host_of(std::string_view url);

}  // namespace submix::cluster
