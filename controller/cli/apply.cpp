// SPDX-License-Identifier: GPL-3.0-or-later
// submix validate, submix apply
#include "common/base/files.hpp"
#include "common/base/stop_signal.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/convergence.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/plugin_check.hpp"

#include <fmt/format.h>

#include <map>
#include <ostream>

namespace submix::cli {
namespace {

constexpr std::chrono::seconds kPluginsPatience{3};
constexpr std::chrono::milliseconds kLookInterval{100};

struct ShowFile {
  std::string name;
  std::string text;
  show::Show show;
};

int print_problems(Context& context, const show::Problems& problems) {
  context.err << to_string(problems) << std::endl;
  return kFailed;
}

// The show in the file; what is wrong with it is told.
std::optional<ShowFile> load(Context& context, const std::string& name) {
  auto text = read_text_file(name);
  if (!text) {
    failed(context, text.error().message);
    return std::nullopt;
  }
  auto show = show::parse(*text, name);
  if (!show) {
    print_problems(context, show.error());
    return std::nullopt;
  }
  return ShowFile{name, *std::move(text), *std::move(show)};
}

// What the nodes say that are here; the others are asked when they come, by their own check of the show.
show::Problems check_on_nodes(cluster::Cluster& cluster, const ShowFile& file) {
  std::map<std::string, Result<std::vector<cluster::PluginSummary>>> answers;
  show::Problems problems;
  for (std::size_t i = 0; i < file.show.submixes.size(); ++i) {
    const auto& node = file.show.submixes[i].node;
    if (node.empty()) continue;
    if (!answers.contains(node)) answers.emplace(node, cluster.request_plugins(node, kPluginsPatience));
    const auto& plugins = answers.at(node);
    if (!plugins) continue;
    auto found = check_submix(file.show, i, *plugins);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  show::locate(problems, file.text, file.name);
  return problems;
}

tl::expected<std::uint64_t, cluster::WriteError> write(cluster::Cluster& cluster, const ShowFile& file,
                                                       const ApplyOptions& options,
                                                       std::uint64_t revision_found) {
  const cluster::DesiredShow desired{file.text, author("apply")};
  if (options.is_forced) return cluster.put_show(desired, {});
  auto written = cluster.put_show(desired, options.revision.value_or(revision_found));
  if (!written && written.error().is_conflict) {
    written.error().message += "; look at it with \"submix status\", or overwrite it with --force";
  }
  return written;
}

int wait_until_converged(Context& context, Observer& observer, StopSignal& stop, std::uint64_t revision,
                         std::chrono::seconds patience) {
  Convergence convergence(revision);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    for (const auto& line : convergence.update(observer.view()))
      context.out << line << std::endl;
    if (convergence.is_over()) return convergence.has_failed() ? kFailed : kOk;
    if (stop.wait_for(kLookInterval)) return failed(context, "interrupted; the show stays applied");
    if (std::chrono::steady_clock::now() < deadline) continue;
    return failed(context, fmt::format("not there after {} s; the show stays applied\n{}", patience.count(),
                                       fmt::join(convergence.unfinished(), "\n")));
  }
}

}  // namespace

int run_validate(Context& context, const ValidateOptions& options) {
  int status = kOk;
  for (const auto& name : options.files) {
    const auto file = load(context, name);
    if (!file) {
      status = kFailed;
      continue;
    }
    const auto& show = file->show;
    context.out << fmt::format("{}: show \"{}\" is in order: {} nodes, {} submixes, {} streams\n", name,
                               show.name, show.nodes.size(), show.submixes.size(), show.streams.size());
  }
  context.out << std::flush;
  return status;
}

int run_apply(Context& context, const ApplyOptions& options) {
  StopSignal stop;  // before the observer's threads
  const auto file = load(context, options.file);
  if (!file) return kFailed;
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  auto& cluster = (*observer)->cluster();
  const auto before = cluster.show();
  if (!before && !options.is_forced) {
    return failed(context, before.error().message + "; overwrite it with --force");
  }
  if (const auto problems = check_on_nodes(cluster, *file); !problems.empty())
    return print_problems(context, problems);
  const auto revision = write(cluster, *file, options, before ? before->revision : 0);
  if (!revision) return failed(context, revision.error().message);
  context.out << fmt::format("show \"{}\" is applied: revision {}", file->show.name, *revision) << std::endl;
  if (!options.is_waiting) return kOk;
  return wait_until_converged(context, **observer, stop, *revision, options.patience);
}

}  // namespace submix::cli
