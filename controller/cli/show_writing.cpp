// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/show_writing.hpp"

#include "common/base/files.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/node_answer.hpp"
#include "controller/cli/observer.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/model/plan/proven_shows.hpp"
#include "controller/session/announcing.hpp"
#include "controller/session/node_check.hpp"
#include "controller/session/show_storage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

constexpr int kAttemptsMax = 20;                  // against others who edit at the same time
constexpr int kPauseMsMost = 20;                  // times the number of the attempt
constexpr std::chrono::seconds kNodePatience{5};  // a clip is opened meanwhile

struct Edited {
  show::Show before;
  model::Edit edit;
  show::Show after;
  std::uint64_t revision = 0;                 // of `before`; after the write, of `after`
  std::vector<std::string> undescribed = {};  // values that no description could judge
  bool kept_rate = false;                     // of `before`, as far as measured
};

struct Admitted {
  model::Edit edit;
  std::vector<std::string> undescribed = {};
};

// Asks the nodes of the submixes whose values the edit sets. An edit without values asks no node.
Result<Admitted> admitted(cluster::Cluster& cluster, const show::Show& before, model::Edit edit) {
  auto after = before;
  SUBMIX_TRY(model::apply(after, edit));
  std::set<std::string, std::less<>> submixes;
  for (const auto& value : model::new_values(&before, after))
    submixes.insert(value.slot.submix);
  const auto plugins =
      submixes.empty() ? model::PluginMap() : descriptions_for(cluster, after, submixes);
  auto done = model::admitted(&before, plugins, std::move(edit));
  SUBMIX_TRY(done);
  return Admitted{*std::move(done), model::undescribed(&before, after, plugins)};
}

Result<Edited> edit_show(cluster::Cluster& cluster, const ShowChange& change) {
  auto current = read_show(cluster);
  SUBMIX_TRY(current);
  auto edit = change.make(current->show);
  SUBMIX_TRY(edit);
  auto checked = change.is_step ? admitted(cluster, current->show, *std::move(edit))
                                : Result<Admitted>(Admitted{*std::move(edit)});
  SUBMIX_TRY(checked);
  auto after = current->show;
  SUBMIX_TRY(model::apply(after, checked->edit));
  if (const auto problems = show::validate(after); !problems.empty())
    return fail("{}", to_string(problems));
  return Edited{std::move(current->show), std::move(checked->edit), std::move(after),
                current->revision, std::move(checked->undescribed)};
}

std::shared_ptr<const show::Show> shared_show(const std::string& toml) {
  auto show = show::parse(toml, "a show that ran");
  return show ? std::make_shared<const show::Show>(*std::move(show)) : nullptr;
}

// Adds the cluster's last good show, and the shows that kept their rate until this user's commands
// changed them.
void add_proven_shows(const Context& context, cluster::Cluster& cluster, model::ClusterView& view) {
  if (const auto good = cluster.good_show(); good && good->revision > 0)
    view.good_show = shared_show(good->value.toml);
  const auto log = step_log(context);
  if (!log) return;
  model::ProvenShows::Shows shows;
  for (const auto direction : {StepLog::Direction::undo, StepLog::Direction::redo}) {
    for (const auto& step : log->steps(direction)) {
      if (step.kept_rate) shows.push_back(shared_show(step.before));
    }
  }
  view.proven_shows = std::make_shared<const model::ProvenShows::Shows>(std::move(shows));
}

// The planner's warning, or empty. Fails where the planner refuses.
Result<std::string> planned(model::ClusterView view, const Edited& edited, bool is_forced) {
  view.show = std::make_shared<const show::Show>(edited.before);
  const auto change = model::plan_change(view, edited.edit);
  SUBMIX_TRY(change);
  if (change->outlook == model::Outlook::refused && !is_forced)
    return fail("not done: {}; --force does it all the same", change->sentence);
  return change->outlook >= model::Outlook::warning ? change->sentence : std::string();
}

Result<model::ClusterView> measured_cluster(const Context& context) {
  const auto observer = Observer::start(context);
  SUBMIX_TRY(observer);
  return (*observer)->measured_view();
}

void warn_of(Context& context, const std::string& plan, const std::vector<std::string>& unchecked) {
  if (!plan.empty()) warn(context, plan);
  if (unchecked.empty()) return;
  warn(context, fmt::format("not checked: {}: no node that is here describes the plugin; its own "
                            "node checks the value once it is here",
                            fmt::join(unchecked, ", ")));
}

// Lets others finish. The pause is random: many commands of a script would meet again and again.
void wait_for_others(int attempt) {
  thread_local std::minstd_rand random(std::random_device{}());
  std::uniform_int_distribution<int> pause_ms(1, kPauseMsMost * attempt);
  std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms(random)));
}

// After the measurement, no time passes between plan and write.
Result<Edited> write_edited(Context& context, cluster::Cluster& cluster, const ShowChange& change) {
  std::optional<model::ClusterView> measured;
  for (int attempt = 1;; ++attempt) {
    auto edited = edit_show(cluster, change);
    if (!edited) return edited;
    const bool needs_plan =
        !change.is_at_once && model::may_ask_more(edited->before, edited->after);
    if (needs_plan && !measured) {
      auto view = measured_cluster(context);
      SUBMIX_TRY(view);
      measured = *std::move(view);
      add_proven_shows(context, cluster, *measured);
      continue;
    }
    edited->kept_rate = needs_plan && measured->show_revision == edited->revision &&
                        model::keeps_its_rate(*measured);
    const Result<std::string> warning =
        needs_plan ? planned(*measured, *edited, context.is_forced) : std::string();
    SUBMIX_TRY(warning);

    if (auto asked = ask_nodes(context, cluster, &edited->before, edited->after); !asked)
      return fail("{}\n{}", asked.error().message, kNothingChanged);
    const auto announced = session::announce_now(cluster, &edited->before, edited->after);
    SUBMIX_TRY(announced);

    const auto written =
        cluster.put_show({show::to_toml(edited->after), author(change.command)}, edited->revision);
    if (!written && !written.error().is_conflict) return fail("{}", written.error().message);
    if (!written && attempt >= kAttemptsMax)
      return fail("{}; nothing is changed: repeat the command", written.error().message);
    if (!written) {
      wait_for_others(attempt);
      continue;
    }
    warn_of(context, *warning, edited->undescribed);
    edited->revision = *written;
    return edited;
  }
}

// The nodes that run the submixes. For a submix inside others: all nodes.
std::set<std::string> nodes_of(const show::Show& show, const SubmixNames& submixes) {
  std::set<std::string> nodes;
  for (const auto& submix : show.submixes) {
    if (!submixes.contains(submix.name)) continue;
    if (!submix.node.empty()) nodes.insert(submix.node);
    for (const auto& other : show.submixes) {
      if (submix.node.empty() && !other.node.empty()) nodes.insert(other.node);
    }
  }
  return nodes;
}

/// The nodes' descriptions of their plugins. A node that does not answer adds none.
class Descriptions {
 public:
  explicit Descriptions(cluster::Cluster& cluster) : cluster_(cluster) {}

  void ask(const std::string& node) {
    const auto known = cluster_.request_plugins(node, kPluginsPatience);
    if (!known) return;
    for (const auto& plugin : *known) {
      const auto [place, is_new] = plugins_.emplace(plugin.id, plugin);
      if (!is_new && !place->second.refused_because.empty()) place->second = plugin;
    }
  }
  // Whether all plugins of the submixes and their macros are described.
  [[nodiscard]] bool has_all_of(const show::Show& show, const SubmixNames& submixes) const {
    return std::ranges::all_of(show.submixes, [&](const show::Submix& submix) {
      const bool is_asked = submixes.contains(submix.name) || submix.node.empty();
      return !is_asked || std::ranges::all_of(submix.slots, [&](const show::Slot& slot) {
        const auto found = plugins_.find(slot.plugin);
        const bool is_known = found != plugins_.end() && found->second.refused_because.empty();
        return is_known || !show::macro_of(slot).empty();
      });
    });
  }
  [[nodiscard]] model::PluginMap take(const show::Show& show) {
    return plugins_.empty() ? model::PluginMap() : model::with_macros(std::move(plugins_), show);
  }

 private:
  cluster::Cluster& cluster_;
  model::PluginMap plugins_;
};

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
  SUBMIX_TRY(desired);
  if (desired->revision == 0) return fail("no show is applied; run: submix apply FILE");
  auto show = show::parse(desired->value.toml, "the cluster's show");
  if (!show)
    return fail("{}\napply a show that is in order: submix apply FILE", to_string(show.error()));
  return CurrentShow{*std::move(show), desired->revision};
}

Result<OpenShow> open_show(const Context& context) {
  auto connection = ClusterConnection::open(context);
  SUBMIX_TRY(connection);
  auto current = read_show(connection->cluster());
  SUBMIX_TRY(current);
  return OpenShow{*std::move(connection), *std::move(current)};
}

Result<StepLog> step_log(const Context& context) {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/';
  };
  // In a folder that every user can write, another user may have prepared the files.
  if (!is_set("XDG_STATE_HOME") && !is_set("HOME"))
    return fail(
        "steps are kept below $XDG_STATE_HOME or $HOME, and neither is a folder's whole path; set "
        "one");
  return StepLog(state_home() / "undo" / session::file_name_of(context.url));
}

void remember(Context& context, const ShowStep& step) {
  auto log = step_log(context);
  const auto kept = log ? log->add(step) : tl::unexpected(log.error());
  if (!kept) warn(context, "submix undo will not know of it: " + kept.error().message);
}

Result<void> ask_nodes(Context& context, cluster::Cluster& cluster, const show::Show* before,
                       const show::Show& after) {
  const auto check = session::check_on_nodes(cluster, before, after);
  for (const auto& line : check.absent)
    warn(context, line);
  const auto verdict = check.verdict();
  if (verdict) return {};
  const auto& reasons = verdict.error().message;
  if (!context.is_forced) return fail("{}", reasons);
  warn(context, reasons);
  return {};
}

int run_edit(Context& context, cluster::Cluster& cluster, const ShowChange& change) {
  const auto edited = write_edited(context, cluster, change);
  if (!edited) return failed(context, edited.error().message);
  const auto followed = change.then ? change.then() : Result<void>();
  context.out << change.verb << title(edited->edit) << std::endl;
  if (change.is_step && edited->before != edited->after) {
    remember(context, {title(edited->edit), false, show::to_toml(edited->before),
                       show::to_toml(edited->after), edited->kept_rate});
  }
  if (!followed) failed(context, followed.error().message);
  if (change.is_at_once) plan_afterwards(context, *edited);
  if (!followed) return kFailed;
  const auto* changed = edited->after.find_submix(change.submix);
  if (changed == nullptr) return kOk;
  const auto taken = wait_for_node(cluster, *changed, edited->revision, kNodePatience);
  return taken ? kOk : failed(context, taken.error().message);
}

int change_show(Context& context, const MakeEdit& make, std::string_view command,
                const std::string& submix) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  return run_edit(context, connection->cluster(), {make, command, submix});
}

std::set<std::string> all_nodes_of(const show::Show& show) {
  std::set<std::string> nodes;
  for (const auto& node : show.nodes)
    nodes.insert(node.name);
  for (const auto& submix : show.submixes) {
    if (!submix.node.empty()) nodes.insert(submix.node);
  }
  return nodes;
}

model::PluginMap plugins_for(cluster::Cluster& cluster, const show::Show& show,
                             const SubmixNames& submixes) {
  Descriptions known(cluster);
  for (const auto& node : nodes_of(show, submixes))
    known.ask(node);
  return known.take(show);
}

model::PluginMap descriptions_for(cluster::Cluster& cluster, const show::Show& show,
                                  const SubmixNames& submixes) {
  Descriptions known(cluster);
  const auto own = nodes_of(show, submixes);
  for (const auto& node : own)
    known.ask(node);
  for (const auto& node : all_nodes_of(show)) {
    if (known.has_all_of(show, submixes)) break;
    if (!own.contains(node)) known.ask(node);
  }
  return known.take(show);
}

}  // namespace submix::cli
