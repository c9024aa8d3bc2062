// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plan_text.hpp"

#include "controller/cli/table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace submix::cli {
namespace {

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f}", *value) : "?";
}

nlohmann::json json_of(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

}  // namespace

std::string plan_text(const model::Plan& plan) {
  Table streams({"STREAM", ">NEEDS MB/s", ">HAS"});
  for (const auto& stream : plan.streams)
    streams.add(
        {stream.name, figure(stream.needs), stream.is_on_cards ? figure(stream.has) : "no card"});
  Table cards({"CARD", "NODE", ">OUT MB/s", ">IN", ">HAS"});
  for (const auto& card : plan.cards)
    cards.add({card.name, card.node, figure(card.out), figure(card.in), figure(card.has)});
  Table machines({"NODES OF A COMPUTER", ">CORES NOW", ">THEN", ">HAS"});
  for (const auto& machine : plan.machines) {
    machines.add({machine.name, fmt::format("{:.1f}", machine.load_now),
                  fmt::format("{}{:.1f}",
                              !machine.is_whole  ? "over "
                              : machine.is_guess ? "about "
                                                 : "",
                              machine.load),
                  machine.cores > 0 ? fmt::format("{}", machine.cores) : "?"});
  }
  std::string text;
  for (const auto* table : {&streams, &cards, &machines}) {
    if (!table->is_empty()) text += table->text() + "\n";
  }
  for (const auto& finding : plan.findings)
    text += fmt::format("{}: {}\n", to_string(finding.outlook), finding.text);
  return text + (plan.findings.empty() ? "fine: cards and computers can do it\n" : "");
}

std::string plan_json(const model::Plan& plan) {
  nlohmann::json json;
  json["verdict"] = to_string(plan.outlook);
  json["streams"] = nlohmann::json::array();
  for (const auto& stream : plan.streams)
    json["streams"].push_back({{"name", stream.name},
                               {"needs_mb_per_second", stream.needs},
                               {"has_mb_per_second", json_of(stream.has)},
                               {"is_on_cards", stream.is_on_cards}});
  json["cards"] = nlohmann::json::array();
  for (const auto& card : plan.cards)
    json["cards"].push_back({{"node", card.node},
                             {"name", card.name},
                             {"out_mb_per_second", card.out},
                             {"in_mb_per_second", card.in},
                             {"has_mb_per_second", json_of(card.has)}});
  json["slots"] = nlohmann::json::array();
  for (const auto& slot : plan.slots)
    json["slots"].push_back({{"name", slot.name},
                             {"ms", json_of(slot.ms)},
                             {"has_ms", slot.has_ms},
                             {"is_guess", slot.is_guess}});
  json["machines"] = nlohmann::json::array();
  for (const auto& machine : plan.machines)
    json["machines"].push_back({{"name", machine.name},
                                {"cores", machine.cores},
                                {"load", machine.load},
                                {"load_now", machine.load_now},
                                {"is_whole", machine.is_whole},
                                {"is_guess", machine.is_guess}});
  json["findings"] = nlohmann::json::array();
  for (const auto& finding : plan.findings)
    json["findings"].push_back({{"verdict", to_string(finding.outlook)},
                                {"about", finding.about},
                                {"text", finding.text}});
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace submix::cli
