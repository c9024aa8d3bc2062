// SPDX-License-Identifier: GPL-3.0-or-later
// simulated-nodes URL SHOW.toml [silent NODE]: applies
// the show and plays its nodes until a stop signal.
#include "common/base/files.hpp"
#include "common/base/stop_signal.hpp"
#include "common/show/parse.hpp"
#include "tests/support/simulated_node.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace submix;
  StopSignal stop;
  if (argc < 3) return 2;
  const auto text = read_text_file(argv[2]);
  auto bus = cluster::Bus::connect({.url = argv[1], .name = "simulated-nodes"});
  if (!text || !bus) {
    std::fprintf(stderr, "%s\n", (text ? bus.error() : text.error()).message.c_str());
    return 1;
  }
  const auto show = show::parse(*text, argv[2]);
  if (!show) {
    std::fprintf(stderr, "%s\n", show::to_string(show.error()).c_str());
    return 1;
  }
  cluster::Cluster cluster(**bus);
  static_cast<void>(cluster.put_show({*text, "simulated-nodes"}, std::nullopt));
  std::vector<std::unique_ptr<testing::SimulatedNode>> nodes;
  for (const auto& node : show->nodes) {
    nodes.push_back(
        std::make_unique<testing::SimulatedNode>(**bus, node.name, static_cast<int>(nodes.size())));
  }
  while (!stop.wait_for(std::chrono::milliseconds(100))) {
    for (auto& node : nodes)
      node->advance();
  }
  return 0;
}
