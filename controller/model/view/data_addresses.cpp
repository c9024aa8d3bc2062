// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/data_addresses.hpp"

#include <fmt/format.h>

namespace submix::model {
namespace {

std::string text_of(const std::string& node, const DataEndpoint& end) {
  if (end.address.find(':') == std::string::npos)
    return fmt::format("{}={}:{}", node, end.address, end.port);
  return fmt::format("{}=[{}]:{}", node, end.address, end.port);
}

}  // namespace

std::vector<std::string> data_addresses(const ClusterView& view) {
  std::vector<std::string> addresses;
  for (const auto& node : view.nodes) {
    if (node.health == Health::gone || node.health == Health::absent) continue;
    for (const auto& end : node.endpoints)
      addresses.push_back(text_of(node.name, end));
  }
  return addresses;
}

}  // namespace submix::model
