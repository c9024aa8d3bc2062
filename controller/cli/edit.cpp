// SPDX-License-Identifier: GPL-3.0-or-later
// submix assign, submix set, submix bypass, submix helpers, submix links, submix policy,
// submix without, submix with
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/missing_performers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ostream>

namespace submix::cli {
namespace {

// Parses "2", or "198.18.0.2=198.18.0.1" for each link. validate() checks the addresses.
Result<model::SetLinks> parse_links(const LinksOptions& options) {
  model::SetLinks edit{options.stream};
  const auto& first = options.links.front();
  if (options.links.size() == 1 && first.find('=') == std::string::npos) {
    const auto [end, error] =
        std::from_chars(first.data(), first.data() + first.size(), edit.count);
    if (error == std::errc() && end == first.data() + first.size()) return edit;
    return fail("\"{}\" is neither a number of links nor FROM=TO, two addresses", first);
  }
  for (const auto& link : options.links) {
    const auto sign = link.find('=');
    if (sign == std::string::npos) {
      return fail("\"{}\" does not name a link; write FROM=TO, an address of each end's card",
                  link);
    }
    edit.routes.push_back({link.substr(0, sign), link.substr(sign + 1)});
  }
  edit.count = static_cast<int>(edit.routes.size());
  return edit;
}

// The sending submix's node applies a stream's edit. apply() refuses an unknown stream.
int run_stream_edit(Context& context, const std::string& name, const model::Edit& edit,
                    std::string_view command) {
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  const auto* stream = opened->current.show.find_stream(name);
  return run_edit(context, opened->cluster(),
                  {always(edit), command, stream == nullptr ? std::string() : stream->from.submix});
}

}  // namespace

int run_assign(Context& context, const AssignOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  if (const auto checked = check_node(connection->cluster(), options.node); !checked) {
    return failed(context, checked.error().message);
  }
  const model::Edit edit = model::AssignSubmix{options.submix, options.node};
  const int status =
      run_edit(context, connection->cluster(), {always(edit), "assign", options.submix});
  if (options.node.empty() && status == kOk)
    context.out << fmt::format(
                       "no node runs it now, and what shows it waits; name one: submix assign {} "
                       "NODE, or take it back: submix undo",
                       options.submix)
                << std::endl;
  return status;
}

int run_set(Context& context, const SetOptions& options) {
  if (options.oscillator.is_stated()) return run_oscillate(context, options);
  auto edit = parse_target(options.target);
  if (!edit) return failed(context, edit.error().message);
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  if (options.value) {
    auto value = value_for(connection->cluster(), *edit, *options.value);
    if (!value) return failed(context, value.error().message);
    edit->value = *std::move(value);
  }
  if (const auto checked =
          check_slot(connection->cluster(), *edit, edit->slot, "parameters." + edit->name);
      !checked) {
    return failed(context, checked.error().message);
  }
  const int status =
      run_edit(context, connection->cluster(), {always(*edit), "set", edit->slot.submix});
  const auto current = read_show(connection->cluster());
  const auto* slot = current ? current->show.find_slot(edit->slot) : nullptr;
  if (slot == nullptr) return status;
  if (const auto moves = slot->oscillators.find(edit->name);
      moves != slot->oscillators.end() && moves->second.is_on) {
    context.out << fmt::format(
        "its oscillator moves it; to hold it: submix set {} --oscillate off\n", options.target);
  }
  return status;
}

int run_bypass(Context& context, const BypassOptions& options) {
  auto slot = show::parse_port(options.slot);
  if (!slot) return failed(context, slot.error().message);
  return change_show(context, always(model::SetBypass{*slot, options.is_bypassed}), "bypass",
                     slot->submix);
}

int run_helpers(Context& context, const HelpersOptions& options) {
  auto slot = show::parse_port(options.slot);
  if (!slot) return failed(context, slot.error().message);
  return change_show(context, always(model::SetHelpers{*slot, options.helpers}), "helpers",
                     slot->submix);
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
  if (options.pause_budget_ms)
    edit.pause_budget = std::chrono::milliseconds(*options.pause_budget_ms);
  return run_stream_edit(context, options.stream, edit, "policy");
}

int run_without(Context& context, const WithoutOptions& options) {
  const int status = change_show(
      context, [&](const auto& show) { return model::continue_without(show, options.submix); },
      "without");
  if (status == kOk)
    context.out << fmt::format("to wait for it again: submix with {}; or submix undo\n",
                               options.submix);
  return status;
}

int run_with(Context& context, const WithoutOptions& options) {
  return change_show(
      context, [&](const auto& show) { return model::wait_again_for(show, options.submix); },
      "with");
}

}  // namespace submix::cli
