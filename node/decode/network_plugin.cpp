// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/decode/network_plugin.hpp"

#include "node/host/hosted_plugin.hpp"
#include "node/io/network/network.hpp"

namespace submix::decode {

void add_network(plugin::Catalog& catalog,
                 const Result<std::unique_ptr<host::HostKeeper>>& keeper) {
  catalog.add(
      io::network_description(),
      [&keeper](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
        SUBMIX_TRY(io::check_network(setup));
        SUBMIX_TRY(keeper);
        return host::make_hosted_plugin(**keeper, io::network_description(), "network", setup);
      },
      io::check_network);
}

}  // namespace submix::decode
