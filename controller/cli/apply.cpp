// SPDX-License-Identifier: GPL-3.0-or-later
// submix validate, submix apply, submix show new
#include "common/base/files.hpp"
#include "common/base/stop_signal.hpp"
#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/convergence.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/plugin_check.hpp"
#include "controller/cli/relinking.hpp"
#include "controller/cli/show_copies.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/size_text.hpp"
#include "controller/model/edit/new_show.hpp"
#include "controller/model/edit/play_range.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "controller/model/plan/planner.hpp"
#include "controller/model/view/show_nodes.hpp"
#include "controller/session/announcing.hpp"
#include "controller/session/node_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <utility>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kShortPatience{500};  // a present server answers at once
constexpr std::chrono::milliseconds kConvergenceLook{100};
constexpr std::chrono::seconds kTellAgain{5};         // the cause of the wait
constexpr std::chrono::seconds kSilencePatience{60};  // longer, for a node that locks its memory

using SharedShow = std::shared_ptr<const show::Show>;

struct ShowFile {
  std::string name;
  std::string text;
  show::Show show;
  std::string title;                   // of the step that replaces the show
  std::string_view command = "apply";  // that writes the show
};

int print_problems(Context& context, const show::Problems& problems) {
  context.err << to_string(problems) << std::endl;
  return kFailed;
}

// Reads the show from the file. Prints its faults.
std::optional<ShowFile> load(Context& context, const std::string& name) {
  auto text = read_text_or_pipe(name);
  if (!text) {
    failed(context, text.error().message);
    return std::nullopt;
  }
  auto show = show::parse(*text, name);
  if (!show) {
    print_problems(context, show.error());
    return std::nullopt;
  }
  auto without_fades = *show;
  show::forget_fades(without_fades);
  if (without_fades != *show)
    return ShowFile{name, show::to_toml(without_fades), std::move(without_fades), "apply " + name};
  return ShowFile{name, *std::move(text), *std::move(show), "apply " + name};
}

/// The opinion of the nodes' plugins.
struct PluginCheck {
  show::Problems problems;
  std::set<std::string> unasked;  ///< nodes without an answer
};

// An absent node checks the show when it arrives.
PluginCheck check_plugins(cluster::Cluster& cluster, const ShowFile& file) {
  std::map<std::string, Result<std::vector<cluster::PluginSummary>>> answers;
  PluginCheck check;
  auto& problems = check.problems;
  for (std::size_t i = 0; i < file.show.submixes.size(); ++i) {
    const auto& node = file.show.submixes[i].node;
    if (node.empty()) continue;
    if (!answers.contains(node))
      answers.emplace(node, cluster.request_plugins(node, kPluginsPatience));
    const auto& plugins = answers.at(node);
    if (!plugins) {
      check.unasked.insert(node);
      continue;
    }
    for (auto& found : check_submix(file.show, i, *plugins)) {
      // A macro or an output chain is checked with each submix that contains it.
      const bool is_known = std::any_of(problems.begin(), problems.end(), [&](const auto& known) {
        return known.path == found.path && known.text == found.text;
      });
      if (!is_known) problems.push_back(std::move(found));
    }
  }
  show::locate(problems, file.text, file.name);
  return check;
}

// Knobs, cues and presets leave out values that no plugin takes; the show runs all the same.
void warn_of_what_is_left_out(Context& context, cluster::Cluster& cluster, const show::Show& show) {
  auto slots_only = show;
  slots_only.knobs.clear();
  slots_only.cues.clear();
  slots_only.presets.clear();
  const auto values = model::new_values(&slots_only, show);
  if (values.empty()) return;
  std::set<std::string, std::less<>> submixes;
  for (const auto& value : values)
    submixes.insert(value.slot.submix);
  const auto plugins = descriptions_for(cluster, show, submixes);
  for (const auto& value : values) {
    if (const auto fault = model::fault_of(value, show, plugins); !fault.empty())
      warn(context, fault + "; it will be left out");
  }
}

// The cluster's show. Null: no show, or an unreadable one.
SharedShow readable(const std::string& toml) {
  auto show = show::parse(toml, "the cluster's show");
  return show ? std::make_shared<const show::Show>(*std::move(show)) : nullptr;
}

// The planner's warning, or empty. An opened show is not refused, as in the window.
std::string planned(Observer& observer, SharedShow before, const show::Show& wanted) {
  if (before != nullptr && !model::may_ask_more(*before, wanted)) return {};
  auto view = observer.measured_view();
  view.show = std::move(before);
  const model::Edit edit = model::ReplaceShow{std::make_shared<const show::Show>(wanted), "apply"};
  const auto change = model::plan_change(view, edit);
  if (!change || change->outlook < model::Outlook::warning) return {};
  return change->sentence +
         (view.show == nullptr ? "" : "; submix undo brings the former show back");
}

// Keeps a copy of the replaced show, and logs a step for "submix undo" if the show is readable.
void keep(Context& context, const std::string& before, const ShowFile& file) {
  if (before.empty()) return;
  const auto kept = keep_snapshot(before);
  if (!kept) warn(context, kept.error().message);
  const auto former = readable(before);
  if (former == nullptr) {
    warn(context, fmt::format("the former show could not be read, and is replaced{}",
                              kept ? "; its text is kept in " + kept->string() : ""));
  } else if (*former != file.show) {
    remember(context, {file.title, true, before, file.text});
  }
}

tl::expected<std::uint64_t, cluster::WriteError> write(cluster::Cluster& cluster,
                                                       const ShowFile& file,
                                                       const ApplyOptions& options,
                                                       std::uint64_t revision_found) {
  const cluster::DesiredShow desired{file.text, author(file.command)};
  if (options.is_forced) return cluster.put_show(desired, {});
  auto written = cluster.put_show(desired, options.revision.value_or(revision_found));
  if (!written && written.error().is_conflict) {
    written.error().message += "; look at it with \"submix status\", or overwrite it with --force";
  }
  return written;
}

int wait_until_converged(Context& context, Observer& observer, StopSignal& stop,
                         std::uint64_t revision, std::chrono::seconds patience) {
  Convergence convergence(revision);
  const auto begin = std::chrono::steady_clock::now();
  const auto deadline = begin + patience;
  auto told = begin;
  while (true) {
    const auto now = std::chrono::steady_clock::now();
    const auto news = convergence.update(observer.view());
    for (const auto& line : news)
      context.out << line << std::endl;
    if (!news.empty()) told = now;
    if (now - told >= kTellAgain) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin).count();
      context.out << fmt::format("still waiting after {} s: {}", seconds,
                                 fmt::join(convergence.unfinished(), "; "))
                  << std::endl;
      told = now;
    }
    if (convergence.is_over()) return convergence.has_failed() ? kFailed : kOk;
    if (stop.wait_for(kConvergenceLook))
      return failed(context, "interrupted; the show stays applied");
    if (now <
        deadline + (convergence.has_silent_node() ? kSilencePatience : std::chrono::seconds(0)))
      continue;
    failed(context,
           fmt::format("not all nodes run it after {} s; the show stays applied\n{}",
                       std::chrono::duration_cast<std::chrono::seconds>(now - begin).count(),
                       fmt::join(convergence.unfinished(), "\n")));
    return kNotFollowedYet;
  }
}

// Whether the nodes can run the show, or the context is forced. Prints their objections.
bool is_accepted(Context& context, cluster::Cluster& cluster, const ShowFile& file,
                 const show::Show* present) {
  const auto problems = check_plugins(cluster, file).problems;
  if (!problems.empty() && !context.is_forced) {
    print_problems(context, problems);
    failed(context, kNothingChanged);
    return false;
  }
  if (!problems.empty()) warn(context, to_string(problems));

  const auto asked = ask_nodes(context, cluster, present, file.show);
  if (!asked) failed(context, fmt::format("{}\n{}", asked.error().message, kNothingChanged));
  return asked.has_value();
}

// Puts files that are found into the show. False: some are not, or a copy has failed.
bool has_relinked(Context& context, cluster::Cluster& cluster, ShowFile& file) {
  const auto plan = relink(context, cluster, file.show, false);
  if (!plan || !plan->is_complete) {
    const auto* reason = "a missing file was not found, or several were that differ";
    failed(context, fmt::format("{}\n{}", plan ? reason : plan.error().message, kNothingChanged));
    return false;
  }
  if (plan->links.empty()) return true;
  file.show = model::relinked(std::move(file.show), plan->links);
  file.text = show::to_toml(file.show);
  return true;
}

int put_in_place(Context& context, ShowFile file, const ApplyOptions& options) {
  StopSignal stop;  // before the observer's threads
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();

  auto before = cluster.show();
  if (!before && !options.is_forced) {
    const auto remedy = (*observer)->is_store_silent() ? "" : "; overwrite it with --force";
    return failed(context, before.error().message + remedy);
  }

  context.is_forced = context.is_forced || options.is_forced;
  const auto present = before ? readable(before->value.toml) : nullptr;
  if (options.is_relinking && !has_relinked(context, cluster, file)) return kFailed;
  if (!is_accepted(context, cluster, file, present.get())) {
    if (has_missing_files(cluster, file.show))
      failed(context, "to look for the missing files by their names: submix apply --relink");
    return kFailed;
  }
  const auto warning = planned(**observer, present, file.show);

  if (options.is_forced) before = cluster.show();  // others have had seconds to write another one
  const auto is_announced = session::announce_now(cluster, present.get(), file.show);
  if (!is_announced) return failed(context, is_announced.error().message);
  if (*is_announced) file.text = show::to_toml(file.show);
  const auto revision = write(cluster, file, options, before ? before->revision : 0);
  if (!revision) return failed(context, revision.error().message);

  if (!warning.empty()) warn(context, warning);
  warn_of_what_is_left_out(context, cluster, file.show);
  if (before) keep(context, before->value.toml, file);
  context.out << fmt::format("show \"{}\" is applied: revision {}", file.show.name, *revision)
              << std::endl;
  if (!options.is_waiting) return kOk;
  return wait_until_converged(context, **observer, stop, *revision, options.patience);
}

Result<show::Show> new_show(const ShowNewOptions& options) {
  model::NewShow wanted{
      .name = options.name, .nodes = options.nodes, .has_window = options.has_window};
  const auto size = parse_size(options.size);
  SUBMIX_TRY(size);
  const auto rate = show::parse_frame_rate(options.rate);
  SUBMIX_TRY(rate);
  wanted.size = *size;
  wanted.rate = *rate;
  auto show = model::make_show(wanted);
  if (const auto problems = show::validate(show); !problems.empty())
    return fail("{}", to_string(problems));
  return show;
}

// Asks the present nodes whether they can run the show.
bool is_taken_by_nodes(Context& context, cluster::Cluster& cluster, const ShowFile& file) {
  const auto check = session::check_whole_show(cluster, file.show);
  for (const auto& line : check.absent)
    warn(context, fmt::format("{}: {}", file.name, line));
  context.out << fmt::format(
      "{}: {}\n", file.name,
      check.asked.empty() ? "no node was asked"
                          : fmt::format("asked node{} {}", check.asked.size() == 1 ? "" : "s",
                                        fmt::join(check.asked, ", ")));
  const auto verdict = check.verdict();
  if (!verdict) failed(context, fmt::format("{}: {}", file.name, verdict.error().message));
  return verdict.has_value();
}

// Checks values that need no node.
bool has_ranges(Context& context, const ShowFile& file) {
  const auto empty = model::new_empty_ranges(nullptr, file.show);
  for (const auto& range : empty)
    failed(context, fmt::format("{}: {}", file.name, range.reason));
  return empty.empty();
}

void tell_unasked(Context& context, const ShowFile& file, const std::set<std::string>& nodes) {
  if (nodes.empty()) return;
  context.out << fmt::format("{}: the values of plugins were not checked by node{} {}\n", file.name,
                             nodes.size() == 1 ? "" : "s", fmt::join(nodes, ", "));
}

// The same checks as before a show is applied.
bool is_in_order(Context& context, cluster::Cluster& cluster, const ShowFile& file) {
  const auto plugins = check_plugins(cluster, file);
  tell_unasked(context, file, plugins.unasked);
  if (!plugins.problems.empty()) print_problems(context, plugins.problems);
  return is_taken_by_nodes(context, cluster, file) && plugins.problems.empty();
}

// `cluster` is null where NATS does not answer.
int validate_one(Context& context, cluster::Cluster* cluster, const std::string& name) {
  const auto file = load(context, name);
  if (!file) return kFailed;
  const auto& show = file->show;
  bool is_well = has_ranges(context, *file);
  if (cluster == nullptr) tell_unasked(context, *file, model::nodes_with_work(show));
  if (cluster != nullptr) is_well = is_in_order(context, *cluster, *file) && is_well;
  if (!is_well) return kFailed;
  context.out << fmt::format("{}: show \"{}\" is in order: {} nodes, {} submixes, {} streams\n",
                             name, show.name, show.nodes.size(), show.submixes.size(),
                             show.streams.size());
  return kOk;
}

}  // namespace

int run_validate(Context& context, const ValidateOptions& options) {
  int status = kOk;
  auto connection =
      ClusterConnection::open(context, {}, options.asks_nodes ? kConnectPatience : kShortPatience);
  for (const auto& name : options.files)
    status = std::max(status,
                      validate_one(context, connection ? &connection->cluster() : nullptr, name));
  if (!connection && options.asks_nodes) status = failed(context, connection.error().message);
  if (!connection && !options.asks_nodes)
    context.out << fmt::format("no node was asked: there is no NATS at {}\n", context.url);
  context.out << std::flush;
  return status;
}

int run_apply(Context& context, const ApplyOptions& options) {
  auto file = load(context, options.file);
  return file ? put_in_place(context, *std::move(file), options) : kFailed;
}

int run_show_new(Context& context, const ShowNewOptions& options) {
  auto show = new_show(options);
  if (!show) return failed(context, show.error().message);
  auto text = show::to_toml(*show);
  const auto name = fmt::format("new show \"{}\"", options.name);
  ApplyOptions waiting;
  waiting.is_waiting = options.is_waiting;
  return put_in_place(context, {name, std::move(text), *std::move(show), name, "show new"},
                      waiting);
}

}  // namespace submix::cli
