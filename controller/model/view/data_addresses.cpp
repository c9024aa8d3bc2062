// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/data_addresses.hpp"

#include "common/base/host_port.hpp"

namespace submix::model {

std::vector<std::string> data_addresses(const ClusterView& view) {
  std::vector<std::string> addresses;
  for (const auto& node : view.nodes) {
    // An observer that has just begun to listen does not call it gone yet.
    if (node.silence >= kGoneAfter) continue;
    if (node.health == Health::gone || node.health == Health::absent) continue;
    for (const auto& end : node.endpoints)
      addresses.push_back(node.name + "=" + to_string(HostPort{end.address, end.port}));
  }
  return addresses;
}

}  // namespace submix::model
