// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/show_writing.hpp"

#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/node_answer.hpp"
#include "controller/cli/observer.hpp"
#include "controller/model/planner.hpp"
#include "controller/session/show_storage.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>

namespace submix::cli {
namespace {

constexpr int kAttemptsMax = 10;  // against others who edit at the same time
constexpr std::chrono::seconds kPluginsPatience{3};
constexpr std::chrono::seconds kNodePatience{5};  // a clip is opened meanwhile

struct Edited {
  show::Show before;
  model::Edit edit;
  show::Show after;
  std::uint64_t revision = 0;  // of `before`; of `after` once it is written
};

Result<Edited> edit_show(cluster::Cluster& cluster, const MakeEdit& make) {
  auto current = read_show(cluster);
  if (!current) return tl::unexpected(current.error());
  auto edit = make(current->show);
  if (!edit) return tl::unexpected(edit.error());
  auto after = current->show;
  if (const auto applied = model::apply(after, *edit); !applied) return tl::unexpected(applied.error());
  if (const auto problems = show::validate(after); !problems.empty()) return fail("{}", to_string(problems));
  return Edited{std::move(current->show), *std::move(edit), std::move(after), current->revision};
}

// What the planner warns of; empty: of nothing. Fails where it refuses.
Result<std::string> planned(model::ClusterView view, const Edited& edited, bool is_forced) {
  view.show = std::make_shared<const show::Show>(edited.before);
  const auto change = model::plan_change(view, edited.edit);
  if (!change) return tl::unexpected(change.error());
  if (change->outlook == model::Outlook::refused && !is_forced)
    return fail("not done: {}; --force does it all the same", change->sentence);
  return change->outlook >= model::Outlook::warning ? change->sentence : std::string();
}

Result<model::ClusterView> measured_cluster(const Context& context) {
  const auto observer = Observer::start(context);
  if (!observer) return tl::unexpected(observer.error());
  return (*observer)->measured_view();
}

// Once the cluster is measured, no time passes between what is planned and what is written.
Result<Edited> write_edited(Context& context, cluster::Cluster& cluster, const Change& change) {
  std::optional<model::ClusterView> measured;
  for (int attempt = 1;; ++attempt) {
    auto edited = edit_show(cluster, change.make);
    if (!edited) return edited;
    std::string warning;
    if (!change.is_at_once && model::may_ask_more(edited->before, edited->after)) {
      if (!measured) {
        auto view = measured_cluster(context);
        if (!view) return tl::unexpected(view.error());
        measured = *std::move(view);
        continue;
      }
      auto plan = planned(*measured, *edited, context.is_forced);
      if (!plan) return tl::unexpected(plan.error());
      warning = *std::move(plan);
    }
    const auto written =
        cluster.put_show({show::to_toml(edited->after), author(change.command)}, edited->revision);
    if (!written && (!written.error().is_conflict || attempt >= kAttemptsMax))
      return fail("{}", written.error().message);
    if (!written) continue;
    if (!warning.empty()) warn(context, warning);
    edited->revision = *written;
    return edited;
  }
}

void plan_afterwards(Context& context, const Edited& edited) {
  if (!model::may_ask_more(edited.before, edited.after)) return;
  const auto view = measured_cluster(context);
  const auto warning = view ? planned(*view, edited, true) : Result<std::string>();
  if (warning && !warning->empty()) warn(context, *warning);
}

}  // namespace

MakeEdit always(model::Edit edit) {
  return [edit = std::move(edit)](const show::Show&) { return edit; };
}

Result<CurrentShow> read_show(cluster::Cluster& cluster) {
  const auto desired = cluster.show();
  if (!desired) return tl::unexpected(desired.error());
  if (desired->revision == 0) return fail("no show is applied; run: submix apply FILE");
  auto show = show::parse(desired->value.toml, "the cluster's show");
  if (!show) return fail("{}\napply a show that is in order: submix apply FILE", to_string(show.error()));
  return CurrentShow{*std::move(show), desired->revision};
}

Result<StepLog> step_log(const Context& context) {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/';
  };
  // Others may have prepared a folder where everybody writes.
  if (!is_set("XDG_STATE_HOME") && !is_set("HOME"))
    return fail(
        "steps are kept below $XDG_STATE_HOME or $HOME, and neither is a folder's whole path; set one");
  return StepLog(state_home() / "undo" / session::file_name_of(context.url));
}

void remember(Context& context, const Step& step) {
  auto log = step_log(context);
  const auto kept = log ? log->add(step) : tl::unexpected(log.error());
  if (!kept) warn(context, "submix undo will not know of it: " + kept.error().message);
}

int run_edit(Context& context, cluster::Cluster& cluster, const Change& change) {
  const auto edited = write_edited(context, cluster, change);
  if (!edited) return failed(context, edited.error().message);
  const auto followed = change.then ? change.then() : Result<void>();
  context.out << change.verb << title(edited->edit) << std::endl;
  if (change.is_step && edited->before != edited->after) {
    remember(context,
             {title(edited->edit), false, show::to_toml(edited->before), show::to_toml(edited->after)});
  }
  if (!followed) failed(context, followed.error().message);
  if (change.is_at_once) plan_afterwards(context, *edited);
  if (!followed) return kFailed;
  const auto* changed = edited->after.find_submix(change.submix);
  if (changed == nullptr) return kOk;
  const auto taken = wait_for_node(cluster, *changed, edited->revision, kNodePatience);
  return taken ? kOk : failed(context, taken.error().message);
}

model::PluginMap plugins_for(cluster::Cluster& cluster, const show::Show& show, std::string_view submix) {
  model::PluginMap plugins;
  const auto* run = show.find_submix(submix);
  if (run == nullptr || run->node.empty()) return plugins;
  const auto known = cluster.request_plugins(run->node, kPluginsPatience);
  if (!known) return plugins;
  for (const auto& plugin : *known)
    plugins.emplace(plugin.id, plugin);
  return model::with_macros(std::move(plugins), show);
}

}  // namespace submix::cli
