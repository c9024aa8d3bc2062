// SPDX-License-Identifier: GPL-3.0-or-later
// submix assign, submix set, submix bypass, submix links, submix policy
#include "common/show/nearest.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/connection.hpp"
#include "controller/cli/node_answer.hpp"
#include "controller/cli/plugin_check.hpp"
#include "controller/model/show_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <ostream>

namespace submix::cli {
namespace {

constexpr int kAttemptsMax = 10;  // against others who edit at the same time
constexpr std::chrono::seconds kPluginsPatience{3};
constexpr std::chrono::seconds kNodePatience{5};  // a clip is opened meanwhile

struct CurrentShow {
  show::Show show;
  std::uint64_t revision = 0;
};

Result<CurrentShow> read_show(cluster::Cluster& cluster) {
  const auto desired = cluster.show();
  if (!desired) return tl::unexpected(desired.error());
  if (desired->revision == 0) return fail("no show is applied; run: submix apply FILE");
  auto show = show::parse(desired->value.toml, "the cluster's show");
  if (!show) return fail("{}\napply a show that is in order: submix apply FILE", to_string(show.error()));
  return CurrentShow{*std::move(show), desired->revision};
}

// Reads, edits and writes the show; anew when somebody else wrote in between, since an edit is of one small
// thing.
Result<CurrentShow> edit_show(cluster::Cluster& cluster, const model::Edit& edit, std::string_view command) {
  for (int attempt = 1;; ++attempt) {
    auto current = read_show(cluster);
    if (!current) return tl::unexpected(current.error());
    if (const auto applied = model::apply(current->show, edit); !applied)
      return tl::unexpected(applied.error());
    if (const auto problems = show::validate(current->show); !problems.empty())
      return fail("{}", to_string(problems));
    const auto written = cluster.put_show({show::to_toml(current->show), author(command)}, current->revision);
    if (written) return CurrentShow{std::move(current->show), *written};
    if (!written.error().is_conflict || attempt == kAttemptsMax) return fail("{}", written.error().message);
  }
}

int run_edit(Context& context, cluster::Cluster& cluster, const model::Edit& edit, const std::string& submix,
             std::string_view command) {
  const auto edited = edit_show(cluster, edit, command);
  if (!edited) return failed(context, edited.error().message);
  context.out << title(edit) << std::endl;
  const auto* changed = edited->show.find_submix(submix);
  if (changed == nullptr) return kOk;
  const auto taken = wait_for_node(cluster, *changed, edited->revision, kNodePatience);
  return taken ? kOk : failed(context, taken.error().message);
}

// What the plugin on its node says to the new value; nothing while that node is not here.
Result<void> check_parameter(cluster::Cluster& cluster, const model::SetParameter& edit) {
  auto current = read_show(cluster);
  if (!current) return tl::unexpected(current.error());
  if (const auto applied = model::apply(current->show, edit); !applied)
    return tl::unexpected(applied.error());
  const auto& submixes = current->show.submixes;
  const auto submix = std::find_if(submixes.begin(), submixes.end(),
                                   [&](const show::Submix& item) { return item.name == edit.slot.submix; });
  if (submix->node.empty()) return {};
  const auto plugins = cluster.request_plugins(submix->node, kPluginsPatience);
  if (!plugins) return {};
  const auto suffix = ".parameters." + edit.name;
  for (const auto& problem :
       check_submix(current->show, static_cast<std::size_t>(submix - submixes.begin()), *plugins)) {
    const bool is_of_slot =
        problem.text.find(fmt::format("slot \"{}\"", edit.slot.slot)) != std::string::npos;
    if (is_of_slot && problem.path.ends_with(suffix)) return fail("{}", problem.text);
  }
  return {};
}

// A slip of the pen would stop the show: who shall run a submix must be in the show, or be here.
Result<void> check_node(cluster::Cluster& cluster, const std::string& node) {
  const auto current = read_show(cluster);
  if (!current) return tl::unexpected(current.error());
  std::vector<std::string> names;
  for (const auto& known : current->show.nodes)
    names.push_back(known.name);
  const bool is_known = node.empty() || std::find(names.begin(), names.end(), node) != names.end();
  if (is_known || cluster.request_plugins(node, kPluginsPatience)) return {};
  return fail("node \"{}\" is neither in the show nor running{}; start it: submix-node --name {}", node,
              show::did_you_mean(node, names), node);
}

// "left.glow.Border width": names hold no dot, a parameter may.
Result<model::SetParameter> parse_target(const std::string& target) {
  const auto first = target.find('.');
  const auto second = first == std::string::npos ? first : target.find('.', first + 1);
  if (second == std::string::npos || second + 1 == target.size()) {
    return fail("\"{}\" does not name a parameter; write submix.slot.parameter", target);
  }
  auto slot = show::parse_port(std::string_view(target).substr(0, second));
  if (!slot) return tl::unexpected(slot.error());
  return model::SetParameter{*std::move(slot), target.substr(second + 1), {}};
}

// "2", or "198.18.0.2=198.18.0.1" for each link; whether the addresses are some is for the show to say.
Result<model::SetLinks> parse_links(const LinksOptions& options) {
  model::SetLinks edit{options.stream};
  const auto& first = options.links.front();
  if (options.links.size() == 1 && first.find('=') == std::string::npos) {
    const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), edit.count);
    if (error == std::errc() && end == first.data() + first.size()) return edit;
    return fail("\"{}\" is neither a number of links nor FROM=TO, two addresses", first);
  }
  for (const auto& link : options.links) {
    const auto sign = link.find('=');
    if (sign == std::string::npos) {
      return fail("\"{}\" does not name a link; write FROM=TO, an address of each end's card", link);
    }
    edit.routes.push_back({link.substr(0, sign), link.substr(sign + 1)});
  }
  edit.count = static_cast<int>(edit.routes.size());
  return edit;
}

// A stream is the sender's to change; an unknown one is the edit's to refuse.
int run_stream_edit(Context& context, const std::string& name, const model::Edit& edit,
                    std::string_view command) {
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto current = read_show(connection->cluster());
  if (!current) return failed(context, current.error().message);
  const auto* stream = current->show.find_stream(name);
  return run_edit(context, connection->cluster(), edit,
                  stream == nullptr ? std::string() : stream->from.submix, command);
}

}  // namespace

int run_assign(Context& context, const AssignOptions& options) {
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  if (const auto checked = check_node(connection->cluster(), options.node); !checked) {
    return failed(context, checked.error().message);
  }
  return run_edit(context, connection->cluster(), model::AssignSubmix{options.submix, options.node},
                  options.submix, "assign");
}

int run_set(Context& context, const SetOptions& options) {
  auto edit = parse_target(options.target);
  if (!edit) return failed(context, edit.error().message);
  if (options.value) {
    auto value = show::parse_value(*options.value);
    if (!value) return failed(context, value.error().message);
    edit->value = *std::move(value);
  }
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  if (const auto checked = check_parameter(connection->cluster(), *edit); !checked) {
    return failed(context, checked.error().message);
  }
  return run_edit(context, connection->cluster(), *edit, edit->slot.submix, "set");
}

int run_bypass(Context& context, const BypassOptions& options) {
  auto slot = show::parse_port(options.slot);
  if (!slot) return failed(context, slot.error().message);
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  return run_edit(context, connection->cluster(), model::SetBypass{*slot, options.is_bypassed}, slot->submix,
                  "bypass");
}

int run_links(Context& context, const LinksOptions& options) {
  const auto edit = parse_links(options);
  if (!edit) return failed(context, edit.error().message);
  return run_stream_edit(context, edit->stream, *edit, "links");
}

int run_policy(Context& context, const PolicyOptions& options) {
  const auto policy = show::parse_policy(options.policy);
  if (!policy) return failed(context, policy.error().message);
  model::SetPolicy edit{options.stream, *policy};
  if (options.pause_budget_ms) edit.pause_budget = std::chrono::milliseconds(*options.pause_budget_ms);
  return run_stream_edit(context, options.stream, edit, "policy");
}

}  // namespace submix::cli
