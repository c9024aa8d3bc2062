// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pools_text.hpp"

#include "controller/cli/table.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace submix::cli {
namespace {

using telemetry::PoolReading;
using telemetry::SeatPlace;
using telemetry::SeatsReading;

std::string holder_of(const SeatsReading& seats) {
  switch (seats.place) {
    case SeatPlace::free:
      return "free";
    case SeatPlace::making:
      return "being made";
    case SeatPlace::queue:
      return "in queue " + seats.where;
    case SeatPlace::stage:
      return "held by " + seats.where;
    case SeatPlace::tap:
      return "in the tap of " + seats.where;
    case SeatPlace::kept:
      return "kept by " + seats.where;
    case SeatPlace::elsewhere:
      return "with no known holder";
  }
  return {};
}

std::string holders_of(const PoolReading& pool) {
  std::string text;
  for (const auto& each : pool.seats)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.seats, holder_of(each));
  return text;
}

std::string balance_of(const PoolReading& pool) {
  if (!pool.is_steady) return "moves";
  std::uint32_t held = 0;
  for (const auto& each : pool.seats) {
    const bool is_held = each.place != SeatPlace::free && each.place != SeatPlace::elsewhere;
    held += is_held ? each.seats : 0;
  }
  if (pool.free_but_held > 0) return fmt::format("off: {} free, but in use", pool.free_but_held);
  return held == pool.taken ? "exact" : fmt::format("off: {} taken, {} found", pool.taken, held);
}

constexpr std::string_view kPoolsExplanation =
    "exact: what holders have is what the pool says is taken; moves: a seat was lent or came back "
    "during "
    "each "
    "look.\nWith nobody known is what somebody looks at just now (a preview), or what is lost "
    "where it "
    "stays.\n";

}  // namespace

std::string pools_text(const model::ClusterView& view) {
  Table table({"POOL", ">SEATS", ">TAKEN", "BALANCE", "WHO HAS THEM"});
  for (const auto& submix : view.submixes) {
    for (const auto& pool : submix.pools) {
      table.add({fmt::format("{}.{}", submix.name, pool.slot), fmt::format("{}", pool.capacity),
                 fmt::format("{}", pool.taken), balance_of(pool), holders_of(pool)});
    }
  }
  return table.is_empty() ? std::string() : table.text() + std::string(kPoolsExplanation);
}

}  // namespace submix::cli
