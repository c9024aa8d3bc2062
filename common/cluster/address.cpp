// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/address.hpp"

#include "common/base/host_port.hpp"

#include <arpa/inet.h>

namespace submix::cluster {
namespace {

constexpr std::string_view kScheme = "nats://";

Result<std::string> parse_url(std::string_view text) {
  const auto rest = text.starts_with(kScheme) ? text.substr(kScheme.size()) : text;
  const bool is_plain = rest.find_first_of("/@ \t?#\"'") == std::string_view::npos;
  if (rest.empty() || rest.size() > 256 || !is_plain) {
    return fail(
        "\"{}\" is not the address of a NATS server; write nats://HOST:PORT, the key comes from a "
        "key file",
        text.substr(0, 80));
  }
  return std::string(kScheme) + std::string(rest);
}

}  // namespace

bool is_loopback(std::string_view host) {
  const std::string text(host);
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) == 1)
    return (ntohl(address.s_addr) >> 24) == 127;
  return host == "localhost" || host == "::1";
}

Result<std::vector<std::string>> parse_urls(std::string_view urls) {
  std::vector<std::string> parts;
  while (!urls.empty() || parts.empty()) {
    const auto comma = urls.find(',');
    auto url = parse_url(urls.substr(0, comma));
    SUBMIX_TRY(url);
    parts.push_back(*std::move(url));
    if (parts.size() > kUrlsMax)
      return fail("more than {} addresses of NATS servers; name fewer", kUrlsMax);
    if (comma == std::string_view::npos) break;
    urls.remove_prefix(comma + 1);
  }
  return parts;
}

std::string host_of(std::string_view url) {
  if (url.starts_with(kScheme)) url.remove_prefix(kScheme.size());
  return std::string(without_port(url));
}

}  // namespace submix::cluster
