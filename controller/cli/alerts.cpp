// SPDX-License-Identifier: GPL-3.0-or-later
// submix alerts
#include "controller/model/verdict/alerts.hpp"

#include "common/base/clock.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>
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

/// The alerts after a look at the cluster.
struct Look {
  std::vector<model::Alert> alerts;    ///< open
  std::vector<std::string> undecided;  ///< reasons why there may be more
};

std::string alerts_json(const Look& look) {
  auto list = nlohmann::json::array();
  for (const auto& alert : look.alerts) {
    list.push_back({{"severity", model::word_of(alert.severity)},
                    {"thing", alert.thing},
                    {"cause", alert.cause},
                    {"response", alert.response},
                    {"seen", alert.is_acknowledged}});
  }
  return nlohmann::json{{"alerts", list}, {"undecided", look.undecided}}.dump();
}

std::vector<std::string> undecided_things(const model::ClusterView& view,
                                          const model::AlertLog& log) {
  auto things = model::undecided_things(view);
  if (model::is_settling(view)) things.emplace_back("the show is still starting or changing");
  for (const auto& thing : log.pending_things())
    things.push_back(fmt::format("{} has had a fault for less than {:.1f} s", thing,
                                 std::chrono::duration<double>(log.kSettleTime).count()));
  return things;
}

// A starting show or node may be well in a moment, or may never be.
std::chrono::milliseconds patience_for(const model::ClusterView& view, const model::AlertLog& log) {
  const bool is_slow = model::is_settling(view) || !model::undecided_things(view).empty();
  std::chrono::milliseconds patience = model::AlertLog::kSettleTime;
  if (is_slow || !log.pending_things().empty()) patience += model::kSettlingMax;
  if (!log.pending_things().empty()) patience += model::AlertLog::kSettleTime;
  return patience;
}

/// Alerts that last longer than a moment, as in the window.
Look settled_look(Observer& observer, const cluster::AlertsSeen& seen) {
  constexpr std::chrono::milliseconds kLookAgain{100};
  const SteadyClock clock;
  std::this_thread::sleep_for(kObservation);
  model::AlertLog log;
  const auto began = clock.now();
  log.set_seen(seen.things, began);
  Look look;
  for (;;) {
    const auto view = observer.view_with_silences();
    const auto now = clock.now();
    log.update(view, now);
    look.undecided = undecided_things(view, log);
    const bool is_all_well = look.undecided.empty() && model::find_alerts(view).empty();
    if (is_all_well || now - began > patience_for(view, log)) break;
    std::this_thread::sleep_for(kLookAgain);
  }
  std::ranges::copy_if(*log.alerts(), std::back_inserter(look.alerts), &model::Alert::is_open);
  std::ranges::stable_sort(look.alerts, std::ranges::greater(), &model::Alert::severity);
  return look;
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

void print(Context& context, const Look& look) {
  if (context.is_json) {
    context.out << alerts_json(look) << std::endl;
    return;
  }
  if (!look.alerts.empty()) context.out << alerts_text(look.alerts);
  if (look.alerts.empty() && look.undecided.empty()) context.out << "all is well\n";
  if (!look.undecided.empty())
    context.out << fmt::format("not known yet: {}; ask again in a moment: submix alerts\n",
                               fmt::join(look.undecided, "; "));
  context.out << std::flush;
}

int status_of(const Look& look) {
  if (model::unseen_alerts(look.alerts) > 0) return kFailed;
  return look.undecided.empty() ? kOk : kNotKnownYet;
}

}  // namespace

int run_alerts(Context& context, const AlertsOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();
  // A silent store is an alert itself: then nothing counts as seen.
  const auto seen = cluster.alerts_seen().value_or(cluster::AlertsSeen());
  auto look = settled_look(**observer, seen);
  const auto marked = mark_seen(look.alerts, options.seen);
  if (!marked) return failed(context, marked.error().message);
  const auto ended = over(seen, look.alerts);
  if (!marked->empty() || !ended.empty()) {
    const auto shared = cluster.change_alerts_seen(*marked, ended);
    if (!shared && !marked->empty()) return failed(context, shared.error().message);
  }
  print(context, look);
  return status_of(look);
}

}  // namespace submix::cli
