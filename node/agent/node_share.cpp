// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/node_share.hpp"

namespace submix::agent {

show::Show share_of(const show::Show& show, std::string_view node) {
  show::Show share;
  share.name = show.name;
  share.size = show.size;
  share.rate = show.rate;
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

}  // namespace submix::agent
