// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/circles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace submix::show {
namespace {

// Depth-first search; `path_` is the path walked so far. A show's limits bound its depth (64
// slots).
class CircleSearch {
 public:
  explicit CircleSearch(const Graph& graph) : graph_(graph) {}

  std::string from(const std::string& name) {
    const auto seen = std::find(path_.begin(), path_.end(), name);
    if (seen != path_.end())
      return fmt::format("{} -> {}", fmt::join(seen, path_.end(), " -> "), name);
    if (!visited_.insert(name).second) return {};
    path_.push_back(name);
    if (const auto next = graph_.find(name); next != graph_.end()) {
      for (const auto& neighbour : next->second) {
        if (auto circle = from(neighbour); !circle.empty()) return circle;
      }
    }
    path_.pop_back();
    return {};
  }

 private:
  const Graph& graph_;
  std::vector<std::string> path_;
  std::set<std::string> visited_;
};

}  // namespace

std::string find_circle(const Graph& graph) {
  CircleSearch search(graph);
  for (const auto& [name, neighbours] : graph) {
    if (auto circle = search.from(name); !circle.empty()) return circle;
  }
  return {};
}

}  // namespace submix::show
