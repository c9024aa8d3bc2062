// SPDX-License-Identifier: GPL-3.0-or-later
// submix alerts
#include "controller/model/verdict/alerts.hpp"

#include "common/base/clock.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <ostream>
#include <thread>

namespace submix::cli {
namespace {

std::string alerts_text(const std::vector<model::Alert>& alerts) {
  Table table({"", "what", "why", "what was done"});
  for (const auto& alert : alerts)
    table.add(
        {fmt::format("{}{}", model::word_of(alert.severity), alert.is_acknowledged ? ", seen" : ""),
         alert.thing, alert.cause, alert.response});
  return table.text();
}

std::string alerts_json(const std::vector<model::Alert>& alerts) {
  auto list = nlohmann::json::array();
  for (const auto& alert : alerts) {
    list.push_back({{"severity", model::word_of(alert.severity)},
                    {"thing", alert.thing},
                    {"cause", alert.cause},
                    {"response", alert.response},
                    {"seen", alert.is_acknowledged}});
  }
  return nlohmann::json{{"alerts", list}}.dump();
}

/// Alerts that last longer than a moment, as in the window.
std::vector<model::Alert> settled_alerts(Observer& observer, const cluster::AlertsSeen& seen) {
  constexpr std::chrono::milliseconds kLookAgain{100};
  const SteadyClock clock;
  std::this_thread::sleep_for(kObservation);
  model::AlertLog log;
  const auto began = clock.now();
  log.set_seen(seen.things, began);
  for (;;) {
    const auto view = observer.view_with_silences();
    const auto now = clock.now();
    log.update(view, now);
    // A starting show may be well in a moment, or may never be.
    const auto patience =
        model::AlertLog::kSettleTime +
        (model::is_settling(view) ? model::kSettlingMax : std::chrono::seconds(0));
    const bool is_all_well = !model::is_settling(view) && model::find_alerts(view).empty();
    if (is_all_well || now - began > patience) break;
    std::this_thread::sleep_for(kLookAgain);
  }
  std::vector<model::Alert> open;
  std::ranges::copy_if(*log.alerts(), std::back_inserter(open), &model::Alert::is_open);
  std::ranges::stable_sort(open, std::ranges::greater(), &model::Alert::severity);
  return open;
}

bool is_open(const std::vector<model::Alert>& alerts, const std::string& thing) {
  return std::ranges::find(alerts, thing, &model::Alert::thing) != alerts.end();
}

/// Marks the meant alerts as seen. Fails where there is none.
Result<std::vector<std::string>> mark_seen(std::vector<model::Alert>& alerts,
                                           const std::string& meant) {
  std::vector<std::string> marked;
  if (meant.empty()) return marked;
  if (meant != "all" && !is_open(alerts, meant))
    return fail(
        "no alert is about \"{}\" now; \"submix alerts\" lists the alerts and their subjects",
        meant);
  for (auto& alert : alerts) {
    if (meant != "all" && alert.thing != meant) continue;
    alert.is_acknowledged = true;
    marked.push_back(alert.thing);
  }
  return marked;
}

std::vector<std::string> over(const cluster::AlertsSeen& seen,
                              const std::vector<model::Alert>& alerts) {
  std::vector<std::string> over;
  std::ranges::copy_if(seen.things, std::back_inserter(over),
                       [&](const std::string& thing) { return !is_open(alerts, thing); });
  return over;
}

}  // namespace

int run_alerts(Context& context, const AlertsOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();
  // A silent store is an alert itself: then nothing counts as seen.
  const auto seen = cluster.alerts_seen().value_or(cluster::AlertsSeen());
  auto alerts = settled_alerts(**observer, seen);
  const auto marked = mark_seen(alerts, options.seen);
  if (!marked) return failed(context, marked.error().message);
  const auto ended = over(seen, alerts);
  if (!marked->empty() || !ended.empty()) {
    const auto shared = cluster.change_alerts_seen(*marked, ended);
    if (!shared && !marked->empty()) return failed(context, shared.error().message);
  }
  if (context.is_json) {
    context.out << alerts_json(alerts) << std::endl;
  } else if (alerts.empty()) {
    context.out << "all is well" << std::endl;
  } else {
    context.out << alerts_text(alerts) << std::flush;
  }
  return model::unseen_alerts(alerts) == 0 ? kOk : kFailed;
}

}  // namespace submix::cli
