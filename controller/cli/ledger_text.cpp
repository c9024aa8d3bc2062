// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/ledger_text.hpp"

#include "controller/cli/table.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace submix::cli {
namespace {

using model::LedgerEdge;

// Dropped frames by reason; reasons without frames are left out.
std::string reasons_of(const LedgerEdge& edge) {
  std::string reasons;
  const auto add = [&](std::uint64_t count, std::string_view reason) {
    if (count > 0) reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, reason);
  };
  add(edge.skipped_latest, "by latest");
  add(edge.skipped_detached, "detached");
  add(edge.lost_with_epoch, "ended by a change");
  add(edge.lost_in_gap, "in a gap");
  return reasons.empty() ? "0" : reasons;
}

constexpr std::string_view kLedgerExplanation =
    "exact: read at one moment, or nothing moves; bounded: frames flow, and the two ends, read at "
    "different "
    "times,\ndo not contradict each other. Replaced: pictures that stood for others (late frames, "
    "crashes, a "
    "bypass), no part of the sum.\nEnded by a change: frames that were under way when a change of "
    "the show "
    "(its size, its rate, a submix's node) ended\ntheir stream or queue on purpose.\n";

}  // namespace

std::string ledger_text(const std::vector<LedgerEdge>& ledger) {
  Table table({"EDGE", ">PRODUCED", ">DELIVERED", "DROPPED", ">QUEUED", ">ON THE WAY", ">WAITING",
               ">REPLACED", "BALANCE"});
  std::string remarks;
  for (const auto& edge : ledger) {
    const auto figure = [](std::uint64_t count) { return fmt::format("{}", count); };
    table.add({(edge.is_stream ? "stream " : "") + edge.name, figure(edge.produced),
               figure(edge.delivered), reasons_of(edge), figure(edge.queued),
               figure(edge.on_the_way), figure(edge.waiting), figure(edge.replaced),
               std::string(to_string(edge.balance))});
    if (!edge.remark.empty()) remarks += fmt::format("{}: {}\n", edge.name, edge.remark);
  }
  return table.text() + std::string(kLedgerExplanation) + remarks;
}

}  // namespace submix::cli
