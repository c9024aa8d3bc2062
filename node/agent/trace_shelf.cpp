// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/trace_shelf.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

Result<cluster::TracePart> TraceShelf::part(const cluster::Command& command) {
  if (command.part == 0) {
    if (kept_.size() == kTracesMax) kept_.pop_front();
    kept_.push_back({command.token, make_(std::chrono::seconds(command.seconds))});
  }
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(),
                                  [&](const Kept& kept) { return kept.token == command.token; });
  if (found == kept_.rend()) return fail("the trace is not kept any more; ask for it again");
  const auto& text = found->text;
  const auto parts = (text.size() + cluster::kTracePartBytes - 1) / cluster::kTracePartBytes;
  const auto begin = std::size_t{command.part} * cluster::kTracePartBytes;
  if (begin >= text.size())
    return fail("the trace has {} parts, and no part {}", parts, command.part);
  return cluster::TracePart{static_cast<std::uint32_t>(parts),
                            text.substr(begin, cluster::kTracePartBytes)};
}

}  // namespace submix::agent
