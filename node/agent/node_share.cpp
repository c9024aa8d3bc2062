// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_share.hpp"

namespace submix::agent {

show::Show share_of(const show::Show& show, std::string_view node) {
  show::Show share;
  share.name = show.name;
  share.size = show.size;
  share.rate = show.rate;
  share.tempo = show.tempo;
  for (const auto& submix : show.submixes) {
    if (submix.node == node) share.submixes.push_back(submix);
  }
  for (const auto& stream : show.streams) {
    const bool begins_here = share.find_submix(stream.from.submix) != nullptr;
    const bool ends_here = share.find_submix(stream.to.submix) != nullptr;
    if (begins_here || ends_here) share.streams.push_back(stream);
  }
  return share;
}

SharePlugins plugins_of(const show::Show& share) {
  std::set<std::string> all;
  std::set<std::string> helped;
  for (const auto& submix : share.submixes) {
    for (const auto& slot : submix.slots) {
      all.insert(slot.plugin);
      if (slot.helpers > 1 && !slot.is_stateless) helped.insert(slot.plugin);
    }
  }
  return {{all.begin(), all.end()}, {helped.begin(), helped.end()}};
}

std::set<std::string> assigned_elsewhere(const show::Show& show, std::string_view node) {
  std::set<std::string> submixes;
  for (const auto& submix : show.submixes) {
    if (!submix.node.empty() && submix.node != node) submixes.insert(submix.name);
  }
  return submixes;
}

}  // namespace submix::agent
