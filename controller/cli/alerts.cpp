// SPDX-License-Identifier: GPL-3.0-or-later
// submix alerts
#include "controller/model/alerts.hpp"

#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <thread>

namespace submix::cli {
namespace {

std::string alerts_text(const std::vector<model::Alert>& alerts) {
  Table table({"", "what", "why", "what was done"});
  for (const auto& alert : alerts)
    table.add({std::string(model::word_of(alert.severity)), alert.thing, alert.cause, alert.response});
  return table.text();
}

std::string alerts_json(const std::vector<model::Alert>& alerts) {
  auto list = nlohmann::json::array();
  for (const auto& alert : alerts) {
    list.push_back({{"severity", model::word_of(alert.severity)},
                    {"thing", alert.thing},
                    {"cause", alert.cause},
                    {"response", alert.response}});
  }
  return nlohmann::json{{"alerts", list}}.dump();
}

}  // namespace

int run_alerts(Context& context, const AlertsOptions&) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::this_thread::sleep_for(kObservation);
  const auto alerts = model::find_alerts((*observer)->view());
  if (context.is_json) {
    context.out << alerts_json(alerts) << std::endl;
  } else if (alerts.empty()) {
    context.out << "all is well" << std::endl;
  } else {
    context.out << alerts_text(alerts) << std::flush;
  }
  return alerts.empty() ? kOk : kFailed;
}

}  // namespace submix::cli
