// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/show_nodes.hpp"

#include <algorithm>

namespace submix::model {

bool is_in_show(const show::Show& show, std::string_view node) {
  return std::ranges::find(show.nodes, node, &show::Node::name) != show.nodes.end() ||
         std::ranges::find(show.submixes, node, &show::Submix::node) != show.submixes.end();
}

std::set<std::string> nodes_with_work(const show::Show& show) {
  std::set<std::string> nodes;
  for (const auto& submix : show.submixes) {
    if (!submix.node.empty()) nodes.insert(submix.node);
  }
  return nodes;
}

}  // namespace submix::model
