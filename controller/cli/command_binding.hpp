// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the files that see CLI11: how a command is added to it.

#include "controller/cli/context.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>

namespace submix::cli {

/// What the arguments ask for.
using Invocation = std::function<int(Context&)>;

/// Its examples come first in its help.
CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples);

/// Lets `command` run `run`; gives the options to fill in.
template <typename Options>
Options& bind(CLI::App& command, Invocation& invocation, int (*run)(Context&, const Options&)) {
  auto options = std::make_shared<Options>();
  command.callback([&invocation, options, run] {
    invocation = [options, run](Context& context) { return run(context, *options); };
  });
  return *options;
}

/// The same for a command that the planner or a node may refuse: it has --force.
template <typename Options>
Options& bind_planned(CLI::App& command, Invocation& invocation,
                      int (*run)(Context&, const Options&)) {
  auto options = std::make_shared<Options>();
  auto is_forced = std::make_shared<bool>(false);
  command.add_flag("--force", *is_forced,
                   "Also where the planner or a node says that it cannot be done");
  command.callback([&invocation, options, is_forced, run] {
    invocation = [options, is_forced, run](Context& context) {
      context.is_forced = *is_forced;
      return run(context, *options);
    };
  });
  return *options;
}

/// submix slot, submix submix, submix stream, submix node, submix show: what a show is made of; submix plan.
void add_structure_commands(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
