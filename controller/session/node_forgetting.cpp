// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/node_forgetting.hpp"

#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "controller/model/view/show_nodes.hpp"

#include <chrono>

namespace submix::session {
namespace {

constexpr std::chrono::milliseconds kAnswerPatience{1000};

/// Why the node must not be removed.
Result<void> check(cluster::Cluster& cluster, const std::string& node) {
  if (!show::is_name(node)) return fail("\"{}\" is no name of a node: {}", node, show::kNameRule);
  const auto desired = cluster.show();
  SUBMIX_TRY(desired);
  const auto parsed = show::parse(desired->value.toml, "the cluster's show");
  if (parsed && model::is_in_show(*parsed, node)) {
    return fail("node \"{}\" is in the show; take it out first: submix node delete {}", node, node);
  }
  if (cluster.is_there(node, kAnswerPatience)) {
    return fail(
        "node \"{}\" runs; end it on its computer first (Ctrl-C, or SIGTERM), then forget it",
        node);
  }
  return {};
}

}  // namespace

Result<void> forget_node(cluster::Cluster& cluster, const std::string& node) {
  if (auto checked = check(cluster, node); !checked) return checked;
  const auto forgotten = cluster.forget_report(node);
  SUBMIX_TRY(forgotten);
  if (!*forgotten)
    return fail("nobody has heard of a node \"{}\"; \"submix status\" lists all", node);
  return {};
}

}  // namespace submix::session
