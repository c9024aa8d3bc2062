// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/link_access.hpp"

#include "common/cluster/show_key.hpp"
#include "common/link/cards/interfaces.hpp"
#include "tests/throughput/socket_address.hpp"

namespace submix::throughput {

Result<std::optional<wire::Key>> read_stream_key(const std::string& file) {
  if (file.empty()) return std::optional<wire::Key>();
  const auto key = cluster::ShowKey::read(file);
  SUBMIX_TRY(key);
  return std::optional(key->stream_key());
}

Result<void> check_reach(const std::string& address, bool has_key) {
  if (!socket_address(address, 0)) return fail("\"{}\" is no IP address of this machine", address);
  if (has_key || link::is_loopback(address)) return {};
  return fail(
      "{} can be reached by others, but there is no key: make one with `submix key new FILE` and "
      "give it to both machines with --key FILE",
      address);
}

Result<std::vector<std::string>> data_addresses(const std::vector<std::string>& wanted,
                                                bool has_key) {
  if (wanted.empty()) return link::offered_addresses(link::list_interfaces(), has_key);
  for (const auto& address : wanted) {
    SUBMIX_TRY(check_reach(address, has_key));
  }
  return wanted;
}

}  // namespace submix::throughput
