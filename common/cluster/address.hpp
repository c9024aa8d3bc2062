// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cluster {

inline constexpr std::string_view kDefaultUrl = "nats://127.0.0.1:4222";
inline constexpr std::size_t kUrlsMax = 16;  ///< of one server or cluster

/// Whether `host` can be reached only from this machine: 127.x.x.x, ::1, localhost.
[[nodiscard]] bool is_loopback(std::string_view host);

/// Splits "nats://a:4222,nats://b:4222" into complete URLs. Errors name the expected form.
[[nodiscard]] Result<std::vector<std::string>> parse_urls(std::string_view urls);
/// The host of one URL.
[[nodiscard]] std::string host_of(std::string_view url);

}  // namespace submix::cluster
