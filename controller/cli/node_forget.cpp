// SPDX-License-Identifier: GPL-3.0-or-later
// submix node forget
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/session/node_forgetting.hpp"

#include <ostream>

namespace submix::cli {

int run_node_forget(Context& context, const NodeOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto forgotten = session::forget_node(connection->cluster(), options.node);
  if (!forgotten) return failed(context, forgotten.error().message);
  context.out << "node \"" << options.node << "\" is forgotten" << std::endl;
  return kOk;
}

}  // namespace submix::cli
