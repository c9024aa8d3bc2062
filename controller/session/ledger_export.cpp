// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/ledger_export.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace submix::session {
namespace {

using Json = nlohmann::ordered_json;
using model::LedgerEdge;

/// All figures of an edge, in the order of the sum.
std::array<std::pair<std::string_view, std::uint64_t>, 10> figures_of(const LedgerEdge& edge) {
  return {{{"produced", edge.produced},
           {"delivered", edge.delivered},
           {"skipped_latest", edge.skipped_latest},
           {"skipped_detached", edge.skipped_detached},
           {"lost_with_epoch", edge.lost_with_epoch},
           {"lost_in_gap", edge.lost_in_gap},
           {"queued", edge.queued},
           {"on_the_way", edge.on_the_way},
           {"waiting", edge.waiting},
           {"replaced", edge.replaced}}};
}

std::string_view kind_of(const LedgerEdge& edge) {
  return edge.is_stream ? "stream" : "slots";
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character;
    if (character == '"') quoted += '"';
  }
  return quoted + '"';
}

}  // namespace

std::string ledger_json(const std::vector<LedgerEdge>& ledger) {
  auto edges = Json::array();
  for (const auto& edge : ledger) {
    Json json{{"edge", edge.name}, {"kind", kind_of(edge)}};
    for (const auto& [name, count] : figures_of(edge))
      json[std::string(name)] = count;
    json["balance"] = to_string(edge.balance);
    json["remark"] = edge.remark;
    edges.push_back(std::move(json));
  }
  const Json all{{"is_balanced", is_balanced(ledger)}, {"edges", std::move(edges)}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ledger_csv(const std::vector<LedgerEdge>& ledger) {
  std::string text = "edge,kind";
  for (const auto& [name, count] : figures_of({}))
    text += fmt::format(",{}", name);
  text += ",balance,remark\n";
  for (const auto& edge : ledger) {
    text += fmt::format("{},{}", in_quotes(edge.name), kind_of(edge));
    for (const auto& [name, count] : figures_of(edge))
      text += fmt::format(",{}", count);
    text += fmt::format(",{},{}\n", to_string(edge.balance), in_quotes(edge.remark));
  }
  return text;
}

}  // namespace submix::session
