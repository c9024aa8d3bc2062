// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/publish_desk.hpp"

#include "common/base/host_name.hpp"
#include "common/base/log.hpp"
#include "common/base/version.hpp"
#include "common/cluster/cluster.hpp"

#include <string>

namespace submix::local {

void publish_desk(const cluster::BusSettings& settings) {
  const auto bus = cluster::Bus::connect(settings);
  const auto stated = bus ? cluster::Cluster(**bus).put_desk({host_name(), std::string(version())})
                          : tl::unexpected(bus.error());
  if (!stated)
    log::warning("the show is not told which version its desk has: {}", stated.error().message);
}

}  // namespace submix::local
