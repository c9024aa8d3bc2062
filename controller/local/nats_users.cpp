// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/nats_users.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace submix::local {
namespace {

using cluster::Rights;

std::string list_of(std::span<const std::string> subjects) {
  std::vector<std::string> quoted;
  for (const auto& subject : subjects)
    quoted.push_back(in_quotes(subject));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// A node answers the requests that it gets, wherever the answer is wanted.
std::string permissions(const NatsUser& user) {
  const auto allowed = cluster::permissions_of(user.login.rights, user.nodes);
  return fmt::format(", permissions: {{ publish: {}, subscribe: {}, allow_responses: {} }}",
                     list_of(allowed.publish), list_of(allowed.subscribe),
                     user.login.rights == Rights::render);
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string authorization(std::span<const NatsUser> users) {
  std::vector<std::string> entries;
  for (const auto& user : users) {
    entries.push_back(
        fmt::format("{{ user: {}, password: {}{} }}", in_quotes(user.login.user),
                    in_quotes(user.login.password),
                    user.login.rights == Rights::everything ? "" : permissions(user)));
  }
  return fmt::format("{} users: [{}] }}\n", kAuthorization, fmt::join(entries, ", "));
}

}  // namespace submix::local
