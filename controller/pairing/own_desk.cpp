// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/own_desk.hpp"

#include "common/base/files.hpp"
#include "common/base/host_name.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/membership.hpp"
#include "common/cluster/reachable.hpp"

namespace submix::pairing {
namespace {

Result<cluster::ShowKey> key_in(const cluster::Membership& membership) {
  return cluster::ShowKey::read(membership.key_file);
}

}  // namespace

Result<std::optional<cluster::ShowKey>> key_of_own_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership || !(*membership)->is_own) return std::nullopt;
  return key_in(**membership);
}

Result<cluster::ShowKey> key_for_own_desk() {
  const auto membership = cluster::read_membership(config_home());
  SUBMIX_TRY(membership);
  if (!*membership) return cluster::ShowKey::random();
  if ((*membership)->is_own) return key_in(**membership);
  return fail("this PC has joined {}; `submix leave` first, then this PC can be a desk itself",
              (*membership)->desk);
}

Result<bool> is_served(const std::string& url, const cluster::ShowKey& key) {
  if (!cluster::is_reachable(url, key)) return false;
  if (cluster::Bus::connect({.url = url, .name = "submix desk", .key = key})) return true;
  return fail("{} is a NATS server of another key or of none, such as a demo's or a window's", url);
}

Result<void> join_own_desk(const std::string& url, const cluster::ShowKey& key) {
  return cluster::write_membership(config_home(), {host_name(), url, {}, true}, key);
}

}  // namespace submix::pairing
