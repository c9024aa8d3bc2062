// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/node_check.hpp"

#include "common/base/thread.hpp"
#include "common/show/parse.hpp"
#include "controller/model/edit/concerned_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace submix::session {
namespace {

// A node that does not hang answers at once: it opens no file for this question. On a busy machine
// the answer waits behind pictures that others have requested.
constexpr std::chrono::milliseconds kPresencePatience{2000};

NodeCheck ask(const NodeQuestions& questions, const std::string& node, const std::string& toml,
              std::chrono::milliseconds patience) {
  const auto presence_patience = std::min(patience, kPresencePatience);
  switch (questions.presence(node, presence_patience)) {
    case cluster::Presence::here:
      break;
    case cluster::Presence::absent:
      return {.absent = {fmt::format(
                  "node \"{}\" is not here: nobody knows whether it can run its part", node)}};
    case cluster::Presence::silent:
      return {.silent = {fmt::format("node \"{}\" does not answer within {} ms: nobody knows "
                                     "whether it can run its part; wait for it, or restart it",
                                     node, presence_patience.count())}};
    case cluster::Presence::unknown:
      return {.is_unreachable = true};
  }
  const auto faults = questions.faults(node, toml, patience);
  if (!faults) return {.silent = {faults.error().message}};
  NodeCheck check{.asked = {node}};
  for (const auto& fault : *faults)
    check.refusals.push_back(fmt::format("node \"{}\": {}", node, fault.reason));
  return check;
}

void append(std::vector<std::string>& all, std::vector<std::string>& some) {
  std::ranges::move(some, std::back_inserter(all));
}

/// Submixes that would move from a present node to `node`, which is absent: no node would run them.
std::vector<std::string> moves_into_nowhere(const NodeQuestions& questions, const std::string& node,
                                            const show::Show* before, const show::Show& after) {
  std::vector<std::string> refusals;
  if (before == nullptr) return refusals;
  for (const auto& submix : after.submixes) {
    const auto* former = before->find_submix(submix.name);
    const bool is_moved = submix.node == node && former != nullptr && former->node != node;
    if (!is_moved || former->node.empty()) continue;
    if (questions.presence(former->node, kPresencePatience) != cluster::Presence::here) continue;
    refusals.push_back(
        fmt::format("node \"{}\" is not here to take \"{}\" over from node \"{}\": start it first, "
                    "or name another one",
                    node, submix.name, former->node));
  }
  return refusals;
}

NodeQuestions questions_to(cluster::Cluster& cluster, bool is_whole) {
  return {[&cluster](const auto& node, auto patience) { return cluster.presence(node, patience); },
          [&cluster, is_whole](const auto& node, const auto& toml, auto patience) {
            return cluster.request_check(node, toml, patience, is_whole);
          }};
}

}  // namespace

Result<void> NodeCheck::verdict() const {
  if (is_unreachable) return fail("the nodes could not be asked: there is no connection");
  if (refusals.empty() && silent.empty()) return {};
  auto reasons = refusals;
  reasons.insert(reasons.end(), silent.begin(), silent.end());
  return fail("{}", fmt::join(reasons, "\n"));
}

NodeCheck check_on_nodes(const NodeQuestions& questions, const show::Show* before,
                         const show::Show& after, std::chrono::milliseconds patience) {
  const auto nodes = model::concerned_nodes(before, after);
  const auto toml = nodes.empty() ? std::string() : show::to_toml(after);
  std::vector<NodeCheck> answers(nodes.size());
  {
    std::vector<std::jthread> askers;
    auto answer = answers.begin();
    for (const auto& node : nodes) {
      askers.push_back(start_thread("check", [&, &into = *answer++](const std::stop_token&) {
        into = ask(questions, node, toml, patience);
        if (!into.absent.empty())
          into.refusals = moves_into_nowhere(questions, node, before, after);
      }));
    }
  }

  NodeCheck all;
  for (auto& answer : answers) {
    append(all.refusals, answer.refusals);
    append(all.silent, answer.silent);
    append(all.absent, answer.absent);
    append(all.asked, answer.asked);
    all.is_unreachable = all.is_unreachable || answer.is_unreachable;
  }
  return all;
}

NodeCheck check_on_nodes(cluster::Cluster& cluster, const show::Show* before,
                         const show::Show& after) {
  return check_on_nodes(questions_to(cluster, false), before, after);
}

NodeCheck check_whole_show(cluster::Cluster& cluster, const show::Show& show) {
  return check_on_nodes(questions_to(cluster, true), nullptr, show);
}

}  // namespace submix::session
