// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/shown_address.hpp"

#include <algorithm>
#include <string_view>

namespace submix {

std::string shown_address(const std::string& address) {
  constexpr std::string_view kMark = "://";
  const auto mark = address.find(kMark);
  if (mark == std::string::npos) return address;
  const auto begin = mark + kMark.size();
  // A password may hold a slash: the host begins behind the last "@".
  const auto user = address.rfind('@');
  const auto host = user == std::string::npos || user < begin ? begin : user + 1;
  const auto end = std::min(address.find_first_of("/?#", host), address.size());
  return address.substr(0, begin) + address.substr(host, end - host);
}

}  // namespace submix
